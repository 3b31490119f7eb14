// Parses lines into CSV records (RFC 4180), for the endpoint and the import. A quoted column may have line breaks; a line with
// bad quotes is refused alone, and the lines after it are read as if it were not there.

/** Undefined when it is empty without quotes. */
export type CsvCell = string | undefined;

export interface CsvSink {
  /** `text` is the record as it came, `line` the number of its first line. */
  record(cells: CsvCell[], text: string, line: number): void;
  badQuotes(text: string, line: number): void;
}

export const BAD_QUOTES = 'quotes must stand around a whole column, and a quote within them is doubled';

/** Much longer than any reading: a record with quotes that does not end by then is a mistake. */
const MAX_RECORD_LENGTH = 1 << 16;

/**
 * A line with an odd number of quotes starts a record of several lines, and the next such line ends it. When the quotes turn out
 * bad, the lines between the two are records of one line each: none is read more than twice.
 */
export class CsvRecords {
  /** The lines of a record that is not complete. */
  private open: string[] = [];
  private openLength = 0;
  private firstLine = 0;

  /** Between columns; may be set before the first line. */
  separator: ',' | ';' = ',';

  constructor(private readonly sink: CsvSink) {}

  /** The next line, without its newline. */
  line(line: string, number: number): void {
    const isFirst = this.open.length === 0;
    if (isFirst && !line.includes('"')) return this.takePlain(line, number);
    if (isFirst) this.firstLine = number;
    this.open.push(line);
    this.openLength += line.length + 1;
    if (this.openLength > MAX_RECORD_LENGTH) this.refuseFirst();
    else if (hasOddQuotes(line) !== isFirst) this.take();
  }

  /** The next line is missing, or cannot be read. */
  end(): void {
    if (this.open.length > 0) this.refuseFirst();
  }

  private takePlain(line: string, number: number): void {
    const text = withoutReturn(line);
    if (text.trim() !== '') this.sink.record(text.split(this.separator).map(unquoted), text, number);
  }

  private take(): void {
    const text = withoutReturn(this.open.join('\n'));
    const cells = splitQuoted(text, this.separator);
    if (cells === undefined) return this.refuseFirst();
    this.clear();
    this.sink.record(cells, text, this.firstLine);
  }

  private refuseFirst(): void {
    const [first = '', ...others] = this.open;
    const number = this.firstLine;
    this.clear();
    this.sink.badQuotes(withoutReturn(first), number);
    others.forEach((line, i) => this.line(line, number + 1 + i));
  }

  private clear(): void {
    this.open = [];
    this.openLength = 0;
  }
}

const QUOTE = 0x22;

function hasOddQuotes(line: string): boolean {
  let isOdd = false;
  for (let at = 0; at < line.length; at += 1) if (line.charCodeAt(at) === QUOTE) isOdd = !isOdd;
  return isOdd;
}

/** A line may end in CRLF. */
export function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Undefined when the quotes are bad. */
function splitQuoted(record: string, separator: string): CsvCell[] | undefined {
  const cells: CsvCell[] = [];
  let start = 0;
  for (;;) {
    const isQuoted = record[start] === '"';
    const end = isQuoted ? closingQuote(record, start + 1) : endOfColumn(record, start, separator);
    if (end < 0) return undefined;
    const cell = record.slice(isQuoted ? start + 1 : start, end);
    if (!isQuoted && cell.includes('"')) return undefined;
    cells.push(isQuoted ? cell.split('""').join('"') : unquoted(cell));
    const next = isQuoted ? end + 1 : end;
    if (next === record.length) return cells;
    if (record[next] !== separator) return undefined;
    start = next + 1;
  }
}

function unquoted(cell: string): CsvCell {
  return cell === '' ? undefined : cell;
}

/** -1 when there is none. */
function closingQuote(record: string, from: number): number {
  let at = record.indexOf('"', from);
  while (at >= 0 && record[at + 1] === '"') at = record.indexOf('"', at + 2);
  return at;
}

function endOfColumn(record: string, from: number, separator: string): number {
  const at = record.indexOf(separator, from);
  return at < 0 ? record.length : at;
}

/** An empty cell of a reading is "not given", quoted or not. */
export function csvText(cell: CsvCell): string | undefined {
  return cell === '' ? undefined : cell;
}

const DECIMAL = /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** Text that is no number is left as it is, for the check to refuse. */
export function csvNumber(cell: CsvCell): unknown {
  if (cell === undefined || cell === '') return undefined;
  return DECIMAL.test(cell) ? Number(cell) : cell;
}
