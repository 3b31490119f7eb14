// What a command says to people, on stderr: a line that cannot play tricks with their terminal, whatever names and ids are in it.
import { printable } from '../problems/printable.js';

export function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** `1 tank`, `2 tanks`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
