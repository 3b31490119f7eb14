// What a command says to people, on stderr: a line that cannot play tricks with their terminal, whatever names and ids are in it.
import { printable } from '../problems/printable.js';

export function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}
