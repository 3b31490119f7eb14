// Asks on the terminal before a command deletes something. Without a terminal, --yes is needed.
import { Option } from 'commander';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { say } from './output.js';

export interface Consent {
  readonly yes?: boolean;
}

export const yesOption = (): Option => new Option('-y, --yes', 'do not ask; needed without a terminal');

/** The operator said no, or could not be asked: nothing was changed. */
export class NotConfirmed extends Error {
  constructor(
    message: string,
    readonly exitCode: 1 | 2,
  ) {
    super(message);
  }
}

/** Resolves when it may be done. `what` says what will be gone. */
export async function confirm({ yes = false }: Consent, what: string): Promise<void> {
  say(what);
  if (yes) return;
  // Not where stdin was the data, nor where stderr is a file.
  if (!process.stdin.isTTY || !process.stderr.isTTY || process.stdin.readableEnded)
    throw new NotConfirmed('Nothing was changed: there is no terminal to ask on. Add --yes to do it.', 2);
  if (!/^(y|yes)$/i.test(await ask('Go on? [y/N] '))) throw new NotConfirmed('Nothing was changed.', 1);
}

/** Empty when the terminal is closed instead of an answer, as by Ctrl-C or Ctrl-D. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answered = terminal.question(question).catch(() => undefined);
  const answer = await Promise.race([answered, once(terminal, 'close').then(() => undefined)]);
  if (answer === undefined) process.stderr.write('\n');
  terminal.close();
  return answer?.trim() ?? '';
}
