// Writes a reading's line, NDJSON or CSV, as a row of its staging table, or refuses it. This is the import's hot path.
import { parse } from 'csv-parse/sync';
import type { CopyRows } from './copy-rows.js';
import { readInstant, readNumber, readText } from './fields.js';
import { checkFields, type JsonRecord } from './record.js';
import { RefusedLine } from './refused-line.js';

export const READING_COLUMNS = ['line', 'tank_id', 'created_at', 'fill_percentage'];
export const CSV_HEADER = 'tank_id,created_at,fill_percentage';

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['object', 'tank_id', 'created_at', 'fill_percentage']);
const PERCENTAGE = { min: 0, max: 100 };

/**
 * A reading the way the export writes it, as most lines of a large file are. It reads such a line as JSON.parse does, in
 * half the time. Its classes of characters leave out what JSON escapes: quotes, backslashes and control characters.
 */
const USUAL_LINE =
  /^\{"object": ?"telemetry", ?"tank_id": ?"([ !#-[\]-\uffff]+)", ?"created_at": ?"([ !#-[\]-\uffff]+)", ?"fill_percentage": ?((?:0|[1-9]\d*)(?:\.\d+)?)\}$/;

/** False for a line of any other form, valid or not. */
export function writeUsualReading(rows: CopyRows, text: string, line: number): boolean {
  const match = USUAL_LINE.exec(text);
  if (match === null) return false;
  writeReading(rows, match[1], match[2], Number(match[3]), line);
  return true;
}

export function writeReadingRecord(rows: CopyRows, record: JsonRecord, line: number): void {
  checkFields(record, KNOWN_FIELDS);
  writeReading(rows, record['tank_id'], record['created_at'], record['fill_percentage'], line);
}

/** One line of CSV whose columns are those of CSV_HEADER. */
export function writeReadingCsv(rows: CopyRows, text: string, line: number): void {
  const columns = text.includes('"') ? parseQuoted(text) : splitPlain(text);
  if (columns.length !== 3) {
    throw new RefusedLine('the line must have 3 columns', `it has ${columns.length}`);
  }
  const [tankId, createdAt, fill] = columns;
  writeReading(rows, emptyIsMissing(tankId), emptyIsMissing(createdAt), csvNumber(fill), line);
}

function writeReading(
  rows: CopyRows,
  tankId: unknown,
  createdAt: unknown,
  fill: unknown,
  line: number,
): void {
  if (tankId === undefined) throw new RefusedLine('tank_id is missing');
  if (createdAt === undefined) throw new RefusedLine('created_at is missing');
  if (fill === undefined) throw new RefusedLine('fill_percentage is missing');
  const tank = readText('tank_id', tankId, 1, 255);
  const milliseconds = readInstant('created_at', createdAt);
  const percentage = readNumber('fill_percentage', fill, PERCENTAGE);
  rows.startRow(READING_COLUMNS.length);
  rows.bigint(line);
  rows.text(tank);
  rows.instant(milliseconds);
  rows.double(percentage);
}

/** As split(','), which is slower on the many lines with three columns. */
function splitPlain(line: string): string[] {
  const first = line.indexOf(',');
  const second = line.indexOf(',', first + 1);
  if (first < 0 || second < 0 || line.includes(',', second + 1)) return line.split(',');
  return [line.slice(0, first), line.slice(first + 1, second), line.slice(second + 1)];
}

function parseQuoted(line: string): string[] {
  try {
    const [columns = []]: string[][] = parse(line, { relax_column_count: true });
    return columns;
  } catch {
    throw new RefusedLine('bad CSV', 'a quoted column must end on its line, and a quote in it is doubled');
  }
}

function emptyIsMissing(column: string | undefined): string | undefined {
  return column === '' ? undefined : column;
}

const DECIMAL = /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Text that is no number is left as it is, for the check to refuse. */
function csvNumber(column: string | undefined): unknown {
  if (column === undefined || column === '') return undefined;
  return DECIMAL.test(column) ? Number(column) : column;
}
