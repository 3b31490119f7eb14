// How commands are made, what they print (messages on stderr, results on stdout, without control characters that names or ids may hold;
// JSON is exact), and how they ask before they delete something.
import { Command, InvalidArgumentError, Option } from 'commander';
import { printable } from '../../common/problems/printable.js';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** `example` is what follows the program's name. */
export function command(name: string, description: string, example?: string): Command {
  const made = new Command(name).description(description);
  return example === undefined
    ? made
    : made.addHelpText('after', `\nExample:\n  $ npx tank-monitoring ${example}`);
}

export function group(name: string, description: string, commands: readonly Command[]): Command {
  const made = new Command(name).description(description);
  for (const one of commands) made.addCommand(one);
  return made;
}

type Cell = string | number | Date | null | readonly string[];

export function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

const REPORT_EVERY_MS = 5_000;

/** How far long work is: a line every few seconds. */
export function progressReporter(): (line: string) => void {
  let reportedAt = performance.now();
  return (line) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    say(line);
  };
}

/** For an option; `message` says what it has to be. */
export function parseWhole(min: number, max: number, message: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(message);
  };
}

/** `1 tank`, `2 tanks`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

/** Aligned columns of the records; `failing_since` is headed "failing since", `created_at` "created", `tank_id` "tank". */
export function printTable<Column extends string>(
  columns: readonly Column[],
  records: readonly Readonly<Record<Column, Cell>>[],
): void {
  const headings = columns.map((column) => column.replace(/_(at|id)$/, '').replaceAll('_', ' '));
  const lines = [headings, ...records.map((record) => columns.map((column) => show(record[column])))];
  const widths = headings.map((_, place) => Math.max(...lines.map((line) => line[place]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((cell, place) => cell.padEnd(widths[place] ?? 0));
    printLine(cells.join('  ').trimEnd());
  }
}

function show(cell: Cell): string {
  if (cell === null) return '-';
  if (cell instanceof Date) return cell.toISOString();
  return printable(typeof cell === 'object' ? cell.join(' ') : String(cell));
}

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

/** Asks on the terminal; without one, --yes is needed. Resolves when it may be done. `what` says what will be gone. */
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
