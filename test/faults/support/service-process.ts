// The built service as a process of its own, the way it is deployed: environment in, log lines out.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Child, type Ending } from './child.js';
import { temporaryFolder } from './folder.js';
import { until } from './until.js';

export type Environment = Readonly<Record<string, string>>;

export interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

export class ServiceProcess {
  readonly url: string;

  private constructor(
    readonly child: Child,
    private readonly folder: string,
    listening: LogLine,
  ) {
    this.url = String(listening['url']);
  }

  /** Returns when it listens; one that does not come up is an error with its last words. */
  static async start(environment: Environment): Promise<ServiceProcess> {
    const folder = await temporaryFolder();
    const child = launch(environment, folder);
    try {
      let listening: LogLine | undefined;
      await until(
        'the service listens',
        async () => {
          if (!child.isRunning) throw new Error(`The service did not start: ${await child.stderr()}`);
          listening = parseLog(await child.stdout()).find(({ msg }) => msg === 'listening');
          return listening !== undefined;
        },
        30_000,
      );
      if (listening === undefined) throw new Error('The service did not say where it listens.');
      return new ServiceProcess(child, folder, listening);
    } catch (error) {
      await child.stop();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async logLines(): Promise<LogLine[]> {
    return parseLog(await this.child.stdout());
  }

  /** All it ever said. */
  async output(): Promise<string> {
    return (await this.child.stdout()) + (await this.child.stderr());
  }

  async stop(): Promise<void> {
    await this.child.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export interface FailedStart extends Ending {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a service that is not expected to come up. */
export async function startInVain(environment: Environment): Promise<FailedStart> {
  const folder = await temporaryFolder();
  const child = launch(environment, folder);
  try {
    await until('the service gives up', () => !child.isRunning);
    return { ...(await child.ended), stdout: await child.stdout(), stderr: await child.stderr() };
  } finally {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nothing of the tests' own environment gets in. */
function launch(environment: Environment, folder: string): Child {
  const defaults = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0' };
  return new Child({
    command: process.execPath,
    args: [MAIN],
    environment: { ...defaults, ...environment },
    folder,
  });
}

function parseLog(text: string): LogLine[] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogLine);
}
