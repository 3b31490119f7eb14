// Writes a customer's or a tank's line as a row of its staging table, or refuses it.
//
// A line is the whole object: a nullable field left out is null. The one exception is the short form
// {id, object, deleted: true}, which deletes an object and tells nothing else about it.
import type { CopyRows } from './copy-rows.js';
import { boolean, instant, optional, readText } from './fields.js';
import { CUSTOMER, TANK, type ObjectKind } from './object-kinds.js';
import { checkFields, isRecord, type JsonRecord } from './record.js';
import { quote } from '../problems/quote.js';
import { Faults, RefusedLine } from './refused-line.js';

/** Of every staging table of objects, in the order in which they are written; the kind's own columns follow. */
export const COMMON_COLUMNS = ['line', 'is_short', 'source', 'id', 'created_at', 'updated_at', 'deleted'];

const SHORT_FORM: ReadonlySet<string> = new Set(['id', 'object', 'deleted', 'tank_count']);
const COMMON_FIELDS = ['id', 'object', 'created_at', 'updated_at', 'deleted'];
const KNOWN_FIELDS = {
  customer: new Set([...COMMON_FIELDS, 'tank_count', ...CUSTOMER.fields.map(({ name }) => name)]),
  tank: new Set([...COMMON_FIELDS, ...TANK.fields.map(({ name }) => name.replace(/\..*/, ''))]),
};
const LOCATION_FIELDS = new Set(TANK.fields.flatMap(({ name, column }) => (name === column ? [] : [column])));

/** `source` is the line itself, when it may have to be handed back later. All that is wrong with it is told at once. */
export function writeObject(
  rows: CopyRows,
  kind: ObjectKind,
  record: JsonRecord,
  line: number,
  source: string | null,
): void {
  const isShort = record['deleted'] === true && Object.keys(record).every((name) => SHORT_FORM.has(name));
  const faults = new Faults();
  rows.startRow(COMMON_COLUMNS.length + kind.fields.length);
  try {
    rows.bigint(line);
    rows.boolean(isShort);
    if (source === null) rows.null();
    else rows.text(source);
    faults.check(() => rows.text(readId(record['id'])));
    if (isShort) writeDeletion(rows, kind);
    else writeWhole(rows, kind, record, faults);
    faults.check(() => checkFields(record, KNOWN_FIELDS[kind.object]));
    faults.refuseAny();
  } catch (error) {
    rows.dropRow();
    throw error;
  }
}

export function readId(value: unknown): string {
  if (value === undefined) throw new RefusedLine('id is missing');
  return readText('id', value, 1, 255);
}

function writeDeletion(rows: CopyRows, kind: ObjectKind): void {
  rows.null();
  rows.null();
  rows.boolean(true);
  for (let left = kind.fields.length; left > 0; left -= 1) rows.null();
}

function writeWhole(rows: CopyRows, kind: ObjectKind, record: JsonRecord, faults: Faults): void {
  faults.check(() => optional(instant)(rows, 'created_at', record['created_at']));
  faults.check(() => optional(instant)(rows, 'updated_at', record['updated_at']));
  faults.check(() => boolean(rows, 'deleted', record['deleted'] ?? false));
  let location: JsonRecord = {};
  if (kind === TANK) faults.check(() => void (location = readLocation(record['location'])));
  for (const { name, column, type } of kind.fields) {
    faults.check(() => type(rows, name, name === column ? record[name] : location[column]));
  }
  if (kind === TANK) faults.check(() => checkFields(location, LOCATION_FIELDS, 'location.'));
  if (kind === CUSTOMER && record['is_verified'] === false && (record['verified_at'] ?? null) !== null) {
    faults.check(() => {
      throw new RefusedLine('verified_at must be null unless is_verified is true');
    });
  }
}

function readLocation(value: unknown): JsonRecord {
  if (value === undefined) throw new RefusedLine('location is missing');
  if (!isRecord(value)) throw new RefusedLine('location must be an object', quote(value));
  return value;
}
