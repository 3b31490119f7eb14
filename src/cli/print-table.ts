// Prints rows in aligned columns on stdout, for people: programs ask for JSON.
import { printable } from '../problems/printable.js';

type Cell = string | number | Date | null;

export function printTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [headings, ...rows.map((row) => row.map(show))];
  const widths = headings.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  );
  for (const line of lines) {
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

function show(cell: Cell): string {
  if (cell === null) return '-';
  return cell instanceof Date ? cell.toISOString() : printable(String(cell));
}
