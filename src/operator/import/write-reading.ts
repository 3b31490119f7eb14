// Writes a reading's line, NDJSON or CSV, as a row of its staging table, or refuses it. This is the import's hot path.
import type { JsonRecord } from '../../common/bodies/record.js';
import { csvNumber, csvText, type CsvCell } from '../../telemetry/ingest/csv.js';
import { checkReading, isRefusal, type GivenReading } from '../../telemetry/ingest/reading.js';
import { fault, type Fault } from '../../common/validation/fault.js';
import { ID, named, textFault, unknownField } from '../../common/validation/values.js';
import { RefusedLine } from './refusal-log.js';
import type { StagedRows } from './staged-rows.js';

export const READING_COLUMNS = ['line', 'tank_id', 'created_at', 'fill_percentage'];
export const CSV_HEADER = 'tank_id,created_at,fill_percentage';

/** No device_id: which device was on which tank depends on the time. */
const KNOWN_FIELDS = ['object', 'tank_id', 'created_at', 'fill_percentage'];

/** A reading as the export writes it, read in half of JSON.parse's time. The character classes leave out what JSON escapes. */
const USUAL_LINE =
  /^\{"object": ?"telemetry", ?"tank_id": ?"([ !#-[\]-\uffff]+)", ?"created_at": ?"([ !#-[\]-\uffff]+)", ?"fill_percentage": ?((?:0|[1-9]\d*)(?:\.\d+)?)\}$/;

/** False for a line of any other form, valid or not. */
export function writeUsualReading(rows: StagedRows, text: string, line: number): boolean {
  const match = USUAL_LINE.exec(text);
  if (match === null) return false;
  writeReading(rows, { tank_id: match[1], created_at: match[2], fill_percentage: Number(match[3]) }, line);
  return true;
}

export function writeReadingRecord(rows: StagedRows, record: JsonRecord, line: number): void {
  const unknown = Object.keys(record)
    .filter((name) => !KNOWN_FIELDS.includes(name))
    .map((name) => unknownField(name, KNOWN_FIELDS));
  if (unknown.length > 0) throw new RefusedLine(...findReadingFaults(record), ...unknown);
  writeReading(rows, record, line);
}

/** One record of CSV whose columns are those of CSV_HEADER. */
export function writeReadingCsv(rows: StagedRows, columns: readonly CsvCell[], line: number): void {
  if (columns.length !== 3) {
    throw new RefusedLine(fault('the line must have 3 columns', `it has ${columns.length}`));
  }
  const [tankId, createdAt, fill] = columns;
  const given = {
    tank_id: csvText(tankId),
    created_at: csvText(createdAt),
    fill_percentage: csvNumber(fill),
  };
  writeReading(rows, given, line);
}

function writeReading(rows: StagedRows, given: GivenReading, line: number): void {
  const reading = checkReading(given, 'tank_id');
  if (isRefusal(reading)) throw new RefusedLine(...findReadingFaults(given));
  const tankId = reading.tankId ?? '';
  const bad = textFault(tankId, ID);
  if (bad !== undefined) throw new RefusedLine(named('tank_id', bad));
  rows.add(line, tankId, new Date(reading.milliseconds), reading.fill);
}

const GOOD: GivenReading = { tank_id: 'any', created_at: '2026-01-31T08:15:30Z', fill_percentage: 0 };

/** Each field is checked among good ones, so that all faults are reported at once. */
function findReadingFaults(given: GivenReading): Fault[] {
  const alone = [
    { ...GOOD, tank_id: given.tank_id },
    { ...GOOD, created_at: given.created_at },
    { ...GOOD, fill_percentage: given.fill_percentage },
    { ...GOOD, object: given.object },
  ];
  return alone.map((one) => checkReading(one, 'tank_id')).filter(isRefusal);
}
