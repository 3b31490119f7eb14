// What commands print: messages on stderr, results on stdout, without control characters that names or ids may hold; JSON is exact.
import { printable } from '../../common/problems/printable.js';

type Cell = string | number | Date | null | readonly string[];

export function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
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
