// Writes a customer's or a tank's line as a row of its staging table, or refuses it.
//
// A line is the whole object: a nullable field left out is null. The one exception is the short form
// {id, object, deleted: true}, which only deletes an object.
import type { Fault } from '../validation/fault.js';
import { isFault, readValue, type Field, type FieldValue } from '../fields/field.js';
import { ID, readObject, unknownFields, type JsonRecord, type Resource } from '../fields/resource.js';
import type { CopyRows } from './copy-rows.js';
import { RefusedLine } from './refusal-log.js';

/** Of every staging table of objects, in the order they are written; the resource's own follow. */
export const COMMON_COLUMNS = ['line', 'is_short', 'source', 'id', 'created_at', 'updated_at', 'deleted'];

const SHORT_FORM: ReadonlySet<string> = new Set(['id', 'object', 'deleted', 'tank_count']);

/** `source` is the line itself, when the rejects file may need it. */
export function writeObject(
  rows: CopyRows,
  resource: Resource,
  record: JsonRecord,
  line: number,
  source: string | null,
): void {
  const isShort = record['deleted'] === true && Object.keys(record).every((name) => SHORT_FORM.has(name));
  const faults: Fault[] = [];
  const common = readCommon(record, faults);
  const own = isShort
    ? { values: resource.fields.map(() => null), faults: unknownFields(resource.names, record, 'line') }
    : readObject(resource, record, 'line');
  faults.push(...own.faults);
  if (faults.length > 0) throw new RefusedLine(...faults);

  rows.startRow(COMMON_COLUMNS.length + own.values.length);
  rows.bigint(line);
  rows.boolean(isShort);
  writeValue(rows, 'text', source);
  writeValue(rows, 'text', common.id);
  writeValue(rows, 'instant', common.createdAt);
  writeValue(rows, 'instant', common.updatedAt);
  writeValue(rows, 'boolean', common.deleted);
  own.values.forEach((value, i) => writeValue(rows, resource.fields[i]?.type, value));
}

/** The instants may be left out, but are never null. */
function readCommon(
  record: JsonRecord,
  faults: Fault[],
): Record<'id' | 'createdAt' | 'updatedAt' | 'deleted', FieldValue> {
  const read = (name: string, field: Field, value = record[name]): FieldValue => {
    const outcome = readValue(field, name, value, 'line');
    if (!isFault(outcome)) return outcome;
    faults.push(outcome);
    return null;
  };
  const instant = (name: string) => (record[name] === undefined ? null : read(name, { type: 'instant' }));
  return {
    id: read('id', ID),
    createdAt: instant('created_at'),
    updatedAt: instant('updated_at'),
    deleted: read('deleted', { type: 'boolean' }, record['deleted'] ?? false),
  };
}

function writeValue(rows: CopyRows, type: Field['type'] | undefined, value: FieldValue): void {
  if (value === null) rows.null();
  else if (typeof value === 'string') rows.text(value);
  else if (typeof value === 'boolean') rows.boolean(value);
  else if (type === 'instant') rows.instant(value);
  else if (type === 'integer') rows.integer(value);
  else rows.double(value);
}
