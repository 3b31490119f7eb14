// The command line as operators run it: the compiled program, in a process of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { wayTo } from './database.js';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CliResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
}

export function startCli(databaseUrl: string, ...args: string[]): RunningCli {
  const { child, result } = startProgram(wayTo(databaseUrl), ...args);
  return { child, result: result.then(withoutDatabase) };
}

/** Every command says its database first; one spec looks at that, the others at what comes after. */
function withoutDatabase({ stderr, ...rest }: CliResult): CliResult {
  return { ...rest, stderr: stderr.replace(/^Database: .*\n/, '') };
}

/** With nothing of the tests' own environment, and all that it says. */
export function startProgram(environment: Readonly<Record<string, string>>, ...args: string[]): RunningCli {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
  });
  child.stdin.on('error', () => undefined); // it may end before it has read everything
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  }
  const result = new Promise<CliResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...said }));
  });
  return { child, result };
}

export function runCli(databaseUrl: string, ...args: string[]): Promise<CliResult> {
  return runCliOn('', databaseUrl, ...args);
}

export function runCliOn(input: string | Buffer, databaseUrl: string, ...args: string[]): Promise<CliResult> {
  const { child, result } = startCli(databaseUrl, ...args);
  child.stdin?.end(input);
  return result;
}
