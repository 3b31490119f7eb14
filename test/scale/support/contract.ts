// The contract's suite, in a run of its own, on a server and by a way of the test's choice.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** Some of its specs, by patterns of their paths: CI has no time for all of them on each engine. */
const chosen = process.env['CONTRACT_SPECS']?.split(' ') ?? [];

/** Takes minutes. Returns what went wrong, nothing when all of it passed. */
export async function contractFailures(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string[]> {
  const jest = 'run --silent jest -- --selectProjects contract --maxWorkers=1 --testTimeout=180000'.split(
    ' ',
  );
  const { stderr } = await run('npm', [...jest, ...chosen, ...args], {
    cwd: PROJECT,
    env: { ...process.env, ...environment },
    maxBuffer: 1 << 26,
  }).catch((error: unknown) => error as { stderr: string });
  const lines = stderr.split('\n').filter((line) => /^(Test Suites:|Tests:|FAIL|  ●)/.test(line));
  const hasPassed = /^Test Suites: (\d+) passed, \1 total\nTests: .*\d+ passed, \d+ total$/.test(
    lines.join('\n'),
  );
  return hasPassed ? [] : [...lines, stderr.slice(-2_000)];
}
