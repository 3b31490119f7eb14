// The built service as a process of its own, the way it is deployed: environment in, log lines out.
import { fileURLToPath } from 'node:url';
import { Child, type Ending } from './child.js';
import { temporaryFolder } from './folder.js';
import { ask, type Outcome } from './requests.js';
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
    await child.until('the service listens', async () => {
      listening = parseLog(await child.stdout()).find(({ msg }) => msg === 'listening');
      return listening !== undefined;
    });
    return new ServiceProcess(child, String(listening?.['url']));
  }

  /** Asks without a key, or with one. */
  get(path: string, key?: string): Promise<Outcome> {
    return ask(this.url, { path, headers: key === undefined ? {} : { 'X-API-Key': key } });
  }

  /** Sends JSON. */
  send(key: string, method: string, path: string, body: unknown): Promise<Outcome> {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    return ask(this.url, { method, path, headers, body: JSON.stringify(body) });
  }

  /** What an orchestrator asks. */
  ready(): Promise<Outcome> {
    return this.get('/health/ready');
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

/** Runs a service that is not expected to come up. */
export async function startInVain(
  environment: Environment,
): Promise<Ending & Record<'stdout' | 'stderr', string>> {
  const child = await launch(environment);
  await until('the service gives up', () => !child.isRunning);
  return { ...(await child.ended), stdout: await child.stdout(), stderr: await child.stderr() };
}

/** Nothing of the tests' own environment gets in. */
async function launch(environment: Environment): Promise<Child> {
  return startProgram([MAIN], { HOST: '127.0.0.1', PORT: '0', ...environment });
}

/** The worker, which works when this returns. */
export async function startWorker(environment: Environment): Promise<Child> {
  const worker = await startProgram([CLI, 'worker'], environment);
  await worker.until('the worker works', async () => (await worker.stdout()).includes('"working"'));
  return worker;
}

async function startProgram(args: readonly string[], variables: Environment): Promise<Child> {
  const folder = await temporaryFolder();
  const environment = { PATH: process.env['PATH'], ...variables };
  return stage.add(new Child({ command: process.execPath, args, environment, folder }));
}

function parseLog(text: string): LogLine[] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogLine);
}
