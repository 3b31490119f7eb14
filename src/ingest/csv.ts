// Lines of CSV (RFC 4180), for the endpoint and the import. A quoted column ends on its line.
import { parse } from 'csv-parse/sync';

/** The columns of one line; undefined when its quotes do not fit. */
export function splitCsvLine(line: string): string[] | undefined {
  if (!line.includes('"')) return splitPlain(line);
  try {
    const [columns = []]: string[][] = parse(line, { relax_column_count: true });
    return columns;
  } catch {
    return undefined;
  }
}

export const BAD_QUOTES = 'a quoted column must end on its line, and a quote in it is doubled';

/** As split(','), which is slower on the many lines with three columns. */
function splitPlain(line: string): string[] {
  const first = line.indexOf(',');
  const second = line.indexOf(',', first + 1);
  if (first < 0 || second < 0 || line.includes(',', second + 1)) return line.split(',');
  return [line.slice(0, first), line.slice(first + 1, second), line.slice(second + 1)];
}

/** An empty cell is "not given". */
export function csvText(cell: string | undefined): string | undefined {
  return cell === '' ? undefined : cell;
}

/** Each digit can be matched in one way only, or a long row of them that is no number would be tried in all ways. */
const DECIMAL = /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** Text that is no number is left as it is, for the check to refuse. */
export function csvNumber(cell: string | undefined): unknown {
  if (cell === undefined || cell === '') return undefined;
  return DECIMAL.test(cell) ? Number(cell) : cell;
}
