// Parses a body into its readings. A bad reading is refused alone; a body that cannot be parsed is refused whole.
import { isNestedTooMuch, parseJson } from '../../common/bodies/parse-json.js';
import { isRecord } from '../../common/bodies/record.js';
import { didYouMean } from '../../common/problems/did-you-mean.js';
import { badRequest, type Problem } from '../../common/problems/problem.js';
import { quote } from '../../common/validation/fault.js';
import type { BodyFormat } from './body-type.js';
import { BAD_QUOTES, CsvRecords, csvNumber, csvText, withoutReturn, type CsvCell } from './csv.js';
import { tooManyLines, tooManyReadings } from './problems.js';
import { ReadingBatch } from './reading-batch.js';
import { findUnknownField, READING_FIELDS, refusal } from './reading.js';

export const MAX_READINGS = 10_000;

/** In a body of JSON; and in a line, where each reading that is nested more is refused alone. */
const MAX_BRACKETS = 4 * MAX_READINGS;
const MAX_BRACKETS_OF_LINE = 20;

/** Empty ones, and those within quotes, included. */
const MAX_LINES = 10 * MAX_READINGS;

export function parseBody(text: string, format: BodyFormat, now: number): ReadingBatch {
  const batch = new ReadingBatch(now);
  PARSERS[format](text, batch);
  if (batch.size === 0) throw malformed('The body holds no reading; send at least one.');
  return batch;
}

const PARSERS = { json: parseDocument, ndjson: parseNdjson, csv: parseCsv };

const JSON_SHAPE = '{"readings": [{"tank_id": …, "created_at": …, "fill_percentage": …}, …]}';

function parseDocument(text: string, batch: ReadingBatch): void {
  const body = parseJson(text, MAX_BRACKETS);
  const readings = isRecord(body) && Object.keys(body).length === 1 ? body['readings'] : undefined;
  if (!Array.isArray(readings)) throw malformed(`The body must be exactly ${JSON_SHAPE}.`);
  checkCount(readings.length);
  for (const reading of readings) addRecord(batch, reading);
}

function parseNdjson(text: string, batch: ReadingBatch): void {
  const lines = splitLines(text).filter((line) => line.trim() !== '');
  checkCount(lines.length);
  for (const line of lines) {
    if (isNestedTooMuch(line, MAX_BRACKETS_OF_LINE)) {
      batch.refuse(refusal('malformed_reading', 'a reading must be a JSON object without others in it'));
      continue;
    }
    let value: unknown;
    try {
      value = JSON.parse(withoutReturn(line));
    } catch (error) {
      batch.refuse(refusal('malformed_reading', 'bad JSON', error instanceof Error ? error.message : ''));
      continue;
    }
    addRecord(batch, value);
  }
}

function addRecord(batch: ReadingBatch, value: unknown): void {
  if (!isRecord(value)) {
    return batch.refuse(refusal('malformed_reading', 'a reading must be a JSON object', () => quote(value)));
  }
  const unknown = findUnknownField(value, READING_FIELDS);
  if (unknown === undefined) batch.add(value);
  else batch.refuse(unknown);
}

function parseCsv(text: string, batch: ReadingBatch): void {
  const [header = [], ...records] = csvRecords(text);
  const columns = readHeader(header.map((name) => name ?? ''));
  for (const cells of records) {
    if (cells === undefined) batch.refuse(refusal('malformed_reading', 'bad CSV', BAD_QUOTES));
    else if (cells.length !== columns.length) {
      const detail = `it has ${cells.length}, the header ${columns.length}`;
      batch.refuse(refusal('malformed_reading', 'the line must have as many columns as the header', detail));
    } else {
      const given: Record<string, unknown> = {};
      columns.forEach((column, i) => {
        given[column] = column === 'fill_percentage' ? csvNumber(cells[i]) : csvText(cells[i]);
      });
      batch.add(given);
    }
  }
}

/** The header and the readings; undefined where the quotes are bad. */
function csvRecords(text: string): (CsvCell[] | undefined)[] {
  const found: (CsvCell[] | undefined)[] = [];
  const add = (cells: CsvCell[] | undefined) => checkCount(found.push(cells) - 1);
  const records = new CsvRecords({
    record: add,
    badQuotes: (line) => add(found.length === 0 ? [line] : undefined), // as a header it is shown
  });
  splitLines(text).forEach((line, i) => records.line(line, i + 1));
  records.end();
  return found;
}

/** Without the right header no column can be trusted. */
function readHeader(columns: string[]): string[] {
  const known: readonly string[] = READING_FIELDS;
  for (const column of columns) {
    if (!known.includes(column)) {
      const hint = didYouMean(column, known);
      throw malformed(`The CSV header has an unknown column ${quote(column)}; ${hint}`);
    }
  }
  if (new Set(columns).size < columns.length) throw malformed('The CSV header names a column twice.');
  const lacks = ['created_at', 'fill_percentage'].filter((name) => !columns.includes(name));
  if (!columns.includes('tank_id') && !columns.includes('device_id')) lacks.unshift('tank_id or device_id');
  if (lacks.length > 0) throw malformed(`The CSV header lacks ${lacks.join(', ')}.`);
  return columns;
}

/** Counted before they are split: two megabytes of line breaks would be two million strings. */
function splitLines(text: string): string[] {
  let lines = 1;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    lines += 1;
    if (lines > MAX_LINES) throw tooManyLines(MAX_LINES);
  }
  return text.split('\n');
}

function checkCount(readings: number): void {
  if (readings > MAX_READINGS) throw tooManyReadings(MAX_READINGS);
}

function malformed(detail: string): Problem {
  return badRequest('malformed_body', detail);
}
