// The command line as operators run it: the compiled program, in a process of its own where a test has to do with the process, and
// otherwise in one that is there already.
import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { wayTo } from './database.js';
import { keep } from './kept.js';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const HOST = fileURLToPath(new URL('cli-host.js', import.meta.url));

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
export function withoutDatabase({ stderr, ...rest }: CliResult): CliResult {
  return { ...rest, stderr: stderr.replace(/^Database: .*\n/, '') };
}

/** With nothing of the tests' own environment, and all that it says. */
export function startProgram(environment: Readonly<Record<string, string>>, ...args: string[]): RunningCli {
  return start(environment, process.execPath, [PROGRAM, ...args]);
}

/** util-linux's, which Debian always has; others of that name take other options. */
export const hasTerminals = String(spawnSync('script', ['--version']).stdout).includes('util-linux');

/** On a terminal of its own, so stdout holds everything that was said. What is typed waits until a question is asked. */
export async function runOnTerminal(
  environment: Readonly<Record<string, string>>,
  typed: string,
  ...args: string[]
): Promise<CliResult> {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const { child, result } = start(environment, 'script', ['-qec', command, '/dev/null']);
  let shown = '';
  child.stdout?.on('data', (text: string) => {
    if (shown.includes('[y/N]')) return;
    shown += text;
    if (shown.includes('[y/N]')) child.stdin?.write(typed);
  });
  const { stdout, ...rest } = await result;
  return { ...rest, stdout: stdout.replaceAll('\r\n', '\n') };
}

function start(
  environment: Readonly<Record<string, string>>,
  program: string,
  args: readonly string[],
): RunningCli {
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], ...environment } });
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

export async function runCliOn(
  input: string | Buffer,
  databaseUrl: string,
  ...args: string[]
): Promise<CliResult> {
  return withoutDatabase(await runProgram(wayTo(databaseUrl), input, ...args));
}

/** As `startProgram`, for a program that ends by itself. */
export async function runProgram(
  environment: Readonly<Record<string, string>>,
  input: string | Buffer,
  ...args: string[]
): Promise<CliResult> {
  const idle = keep('idle hosts of commands', (): ChildProcess[] => []);
  const host = idle.pop() ?? startHost();
  host.send({
    environment: { PATH: process.env['PATH'], ...environment },
    args,
    input: Buffer.from(input).toString('base64'),
  });
  const [result] = (await once(host, 'message')) as [CliResult];
  idle.push(host);
  return result;
}

/** It ends with this process, and does not keep it from ending. */
function startHost(): ChildProcess {
  const host = fork(HOST, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  host.unref();
  host.channel?.unref();
  return host;
}
