// Writes a customer's or a tank's line as a row of its staging table, or refuses it.
//
// A line is the whole object: a nullable field left out is null. The one exception is the short form
// {id, object, deleted: true}, which only deletes an object.
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { JsonRecord } from '../../common/bodies/record.js';
import { listColumns } from '../../platform/database/columns.js';
import type { ImportedKind } from '../../common/pagination/columns.js';
import { findFieldFaults, type FieldFault } from '../../common/validation/field-mistakes.js';
import { prepared } from '../../common/validation/names.js';
import { VALIDATION } from '../../common/validation/validation.pipe.js';
import { RefusedLine } from './refusal-log.js';
import type { Cell, StagedRows } from './staged-rows.js';

/** Of every staging table of objects, in the order they are written; the kind's own follow. */
export const COMMON_COLUMNS = ['line', 'is_short', 'source', 'id', 'created_at', 'updated_at', 'deleted'];

/** A line may have a hundred thousand unknown fields. */
const MAX_UNKNOWN = 20;

const SHORT_FORM: ReadonlySet<string> = new Set(['id', 'object', 'deleted', 'tank_count']);

/** The kind's own columns. */
export function ownColumns({ entity }: ImportedKind): string[] {
  return listColumns(entity).filter((column) => !COMMON_COLUMNS.includes(column));
}

/** `source` is the line itself, when the rejects file may need it. */
export function writeObject(
  rows: StagedRows,
  kind: ImportedKind,
  record: JsonRecord,
  line: number,
  source: string | null,
): void {
  const isShort = record['deleted'] === true && Object.keys(record).every((name) => SHORT_FORM.has(name));
  const checked = check(kind, record, isShort);
  const { location, ...fields } = checked;
  const given = isShort ? { id: checked.id } : { ...fields, ...location };
  const row = { ...given, line, source, is_short: isShort, deleted: checked.deleted ?? false };
  rows.add(...rows.columns.map((column) => (row as Readonly<Record<string, Cell>>)[column]));
}

interface CheckedLine {
  readonly id: string;
  readonly created_at?: Date;
  readonly updated_at?: Date;
  readonly deleted?: boolean;
  readonly location?: object | null;
}

function check({ line }: ImportedKind, record: JsonRecord, isShort: boolean): CheckedLine {
  const checked = plainToInstance(line, prepared(record, line, MAX_UNKNOWN).value) as CheckedLine;
  const errors = validateSync(checked, VALIDATION);
  // Of a short form only what it has is looked at.
  const found = isShort ? errors.filter(({ property }) => property === 'id') : errors;
  const faults: FieldFault[] = findFieldFaults(found);
  if (faults.length > 0) throw new RefusedLine(...faults);
  return checked;
}
