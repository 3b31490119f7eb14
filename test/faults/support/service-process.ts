// The built service as a process of its own, the way it is deployed: environment in, log lines out.
import { fileURLToPath } from 'node:url';
import { Child, type Ending } from './child.js';
import { temporaryFolder } from './folder.js';
import { stage } from './stage.js';
import { until } from './until.js';

export type Environment = Readonly<Record<string, string>>;

export interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

export class ServiceProcess {
  private constructor(
    readonly child: Child,
    readonly url: string,
  ) {}

  /** Returns when it listens; one that does not come up is an error with its last words. */
  static async start(environment: Environment): Promise<ServiceProcess> {
    const child = await launch(environment);
    let listening: LogLine | undefined;
    await until('the service listens', async () => {
      if (!child.isRunning) throw new Error(`The service did not start: ${await child.stderr()}`);
      listening = parseLog(await child.stdout()).find(({ msg }) => msg === 'listening');
      return listening !== undefined;
    });
    return new ServiceProcess(child, String(listening?.['url']));
  }

  async logLines(): Promise<LogLine[]> {
    return parseLog(await this.child.stdout());
  }

  /** All it ever said. */
  async output(): Promise<string> {
    return (await this.child.stdout()) + (await this.child.stderr());
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

export interface FailedStart extends Ending {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a service that is not expected to come up. */
export async function startInVain(environment: Environment): Promise<FailedStart> {
  const child = await launch(environment);
  await until('the service gives up', () => !child.isRunning);
  return { ...(await child.ended), stdout: await child.stdout(), stderr: await child.stderr() };
}

/** Nothing of the tests' own environment gets in. */
async function launch(environment: Environment): Promise<Child> {
  const defaults = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0' };
  return startProgram([MAIN], { ...defaults, ...environment });
}

/** The worker, which works when this returns. */
export async function startWorker(environment: Environment): Promise<Child> {
  const worker = await startProgram([CLI, 'worker'], { PATH: process.env['PATH'], ...environment });
  await until('the worker works', async () => (await worker.stdout()).includes('"working"'));
  return worker;
}

async function startProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Child> {
  const folder = await temporaryFolder();
  return stage.add(new Child({ command: process.execPath, args, environment, folder }));
}

function parseLog(text: string): LogLine[] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogLine);
}
