// Reads a file's lines: each, or each record of CSV, becomes a row to be staged, or is refused.
import { CUSTOMERS } from '../../customers/dto/customer.input.js';
import { isNestedTooMuch, MAX_DEPTH } from '../../common/bodies/parse-json.js';
import { isRecord, type JsonRecord } from '../../common/bodies/record.js';
import { BAD_QUOTES, CsvRecords, withoutReturn } from '../../telemetry/ingest/csv.js';
import type { CsvCell, CsvSink } from '../../telemetry/ingest/csv.js';
import { fault, quote } from '../../common/validation/fault.js';
import { TANKS } from '../../tanks/dto/tank.input.js';
import { CsvObjects } from './csv-objects.js';
import { MAX_LINE_BYTES, type LineSink } from './line-splitter.js';
import { RefusedLine, type RefusalLog } from './refusal-log.js';
import type { Kind } from './report.js';
import type { StagedTables } from './staging.js';
import { writeObject } from './write-object.js';
import { CSV_HEADER, writeReadingCsv, writeReadingRecord, writeUsualReading } from './write-reading.js';

abstract class LineReader implements LineSink {
  /** Lines that are not blank; of CSV, records. */
  lines = 0;

  constructor(
    protected readonly staging: StagedTables,
    protected readonly refusals: RefusalLog,
  ) {}

  abstract line(line: string, number: number): void;

  abstract end(): void;

  unreadable(part: Buffer, number: number, reason?: string): void {
    this.refusals.rejects?.addPart(part);
    if (reason === undefined) return;
    this.lines += 1;
    this.refusals.endLine('unreadable', new RefusedLine(fault(reason)), number);
  }

  protected refuse(kind: Kind | 'unreadable', error: unknown, number: number, text: string): void {
    if (!(error instanceof RefusedLine)) throw error;
    this.refusals.refuse(kind, error, number, text);
  }
}

const KIND_OF_OBJECT: ReadonlyMap<unknown, Kind> = new Map([
  ['telemetry', 'telemetry'],
  ['tank', 'tanks'],
  ['customer', 'customers'],
]);

export class NdjsonReader extends LineReader {
  override line(line: string, number: number): void {
    const text = withoutReturn(line);
    if (text.trim() === '') return;
    this.lines += 1;
    let kind: Kind | undefined = 'telemetry';
    let id: unknown;
    try {
      if (writeUsualReading(this.staging.readings, text, number)) return;
      kind = undefined;
      const record = parseRecord(text);
      kind = KIND_OF_OBJECT.get(record['object']);
      id = record['id'];
      const source = this.refusals.needsLines ? text : null;
      if (kind === 'telemetry') writeReadingRecord(this.staging.readings, record, number);
      else if (kind === 'tanks') writeObject(this.staging.tanks, TANKS, record, number, source);
      else if (kind === 'customers') writeObject(this.staging.customers, CUSTOMERS, record, number, source);
      else throw unknownKind(record['object']);
    } catch (error) {
      this.refuse(kind ?? 'unreadable', error, number, text);
      if (kind !== undefined) this.refusals.remember(kind, id, number);
    }
  }

  override end(): void {}
}

/** What is nested deeply overflows the stack of whatever looks at it later. */
function parseRecord(line: string): JsonRecord {
  if (isNestedTooMuch(line, MAX_LINE_BYTES))
    throw new RefusedLine(fault(`nested more than ${MAX_DEPTH} levels deep`));
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new RefusedLine(fault('bad JSON', error instanceof Error ? error.message : ''));
  }
  if (!isRecord(value)) throw new RefusedLine(fault('the line must be a JSON object', quote(value)));
  return value;
}

function unknownKind(object: unknown): RefusedLine {
  if (object === undefined) return new RefusedLine(fault('object is missing'));
  return new RefusedLine(fault('object must be customer, tank or telemetry', quote(object)));
}

export class CsvReader extends LineReader implements CsvSink {
  private readonly records = new CsvRecords(this);
  private hasHeader = false;
  /** Undefined: readings. */
  private objects: CsvObjects | undefined;

  override line(line: string, number: number): void {
    // Spreadsheets write semicolons where a comma stands in numbers; no name of a column has either.
    if (!this.hasHeader) this.records.separator = line.includes(';') && !line.includes(',') ? ';' : ',';
    this.records.line(line, number);
  }

  override end(): void {
    this.records.end();
  }

  override unreadable(part: Buffer, number: number, reason?: string): void {
    this.records.end();
    super.unreadable(part, number, reason);
  }

  record(cells: CsvCell[], text: string, number: number): void {
    if (!this.hasHeader) return this.readHeader(cells, text, number);
    const { objects } = this;
    if (objects !== undefined) return this.readObject(objects, cells, text, number);
    this.lines += 1;
    try {
      writeReadingCsv(this.staging.readings, cells, number);
    } catch (error) {
      this.refuse('telemetry', error, number, text);
    }
  }

  badQuotes(text: string, number: number): void {
    if (!this.hasHeader) return this.readHeader([], text, number);
    this.lines += 1;
    const kind = this.objects?.kind.table ?? 'telemetry';
    this.refusals.refuse(kind, new RefusedLine(fault('bad CSV', BAD_QUOTES)), number, text);
  }

  private readObject(objects: CsvObjects, cells: CsvCell[], text: string, number: number): void {
    const { kind } = objects;
    let record: JsonRecord | undefined;
    try {
      record = objects.read(cells);
      if (record === undefined) return;
      this.lines += 1;
      writeObject(this.staging[kind.table], kind, record, number, this.refusals.needsLines ? text : null);
    } catch (error) {
      if (record === undefined) this.lines += 1;
      this.refuse(kind.table, error, number, text);
      this.refusals.remember(kind.table, record?.['id'], number);
    }
  }

  /** Without the right header no column can be trusted: the whole file is refused. */
  private readHeader(cells: readonly CsvCell[], text: string, number: number): void {
    const names = cells.map((name) => name?.trim() ?? '');
    try {
      if (names.join(',') !== CSV_HEADER) this.objects = new CsvObjects(names);
      this.refusals.rejects?.header(text.trim());
    } catch (error) {
      throw new Error(`line ${number}: ${error instanceof Error ? error.message : ''}`, { cause: error });
    }
    this.hasHeader = true;
  }
}
