// A script of the documentation, run by a shell as an operator would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ran {
  readonly code: number;
  readonly said: string;
}

/** The shell scripts of a section, in their order. */
export function scriptsIn(section: string): string[] {
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script = '']) => script);
}

/** What psql reads where it asks for a new password, twice each. */
export const typedTwice = (passwords: readonly string[]): string =>
  passwords.map((password) => `${password}\n${password}\n`).join('');

/** Without a terminal, whoever runs the tests: psql asks for passwords on stdin. */
export async function runScript(
  script: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
  input = '',
): Promise<Ran> {
  const { PATH, HOME } = process.env;
  const child = spawn('setsid', ['--wait', 'bash', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: { PATH, HOME, ...environment },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin.on('error', () => undefined); // it may end without having read everything
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}
