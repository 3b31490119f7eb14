// Writes a customer's or a tank's line as a row of its staging table, or refuses it.
//
// A line is the whole object: a nullable field left out is null. The one exception is the short form
// {id, object, deleted: true}, which only deletes an object.
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { JsonRecord } from '../bodies/record.js';
import { columnsOf, columnTypes } from '../database/columns.js';
import type { LineKind } from '../formats/line-kind.js';
import { faultsOf, type FieldFault } from '../validation/field-mistakes.js';
import { prepared } from '../validation/names.js';
import { VALIDATION } from '../validation/validation.pipe.js';
import type { CopyRows } from './copy-rows.js';
import { RefusedLine } from './refusal-log.js';

/** Of every staging table of objects, in the order they are written; the kind's own follow. */
export const COMMON_COLUMNS = ['line', 'is_short', 'source', 'id', 'created_at', 'updated_at', 'deleted'];

/** A line may have a hundred thousand unknown fields. */
const MAX_UNKNOWN = 20;

const SHORT_FORM: ReadonlySet<string> = new Set(['id', 'object', 'deleted', 'tank_count']);
const NO_FIELDS: Readonly<Record<string, Cell>> = {};

type Cell = string | number | boolean | Date | null | undefined;

interface StagedKind {
  readonly columns: readonly string[];
  readonly integers: ReadonlySet<string>;
}

const STAGED = new Map<LineKind, StagedKind>();

/** The kind's own columns. */
export function ownColumns({ entity }: LineKind): string[] {
  return columnsOf(entity).filter((column) => !COMMON_COLUMNS.includes(column));
}

function stagedKind(kind: LineKind): StagedKind {
  let staged = STAGED.get(kind);
  if (staged === undefined) {
    const types = [...columnTypes(kind.entity)];
    const integers = types.filter(([, type]) => type === 'integer').map(([name]) => name);
    staged = { columns: ownColumns(kind), integers: new Set(integers) };
    STAGED.set(kind, staged);
  }
  return staged;
}

/** `source` is the line itself, when the rejects file may need it. */
export function writeObject(
  rows: CopyRows,
  kind: LineKind,
  record: JsonRecord,
  line: number,
  source: string | null,
): void {
  const isShort = record['deleted'] === true && Object.keys(record).every((name) => SHORT_FORM.has(name));
  const checked = check(kind, record, isShort);
  const { columns, integers } = stagedKind(kind);
  const { location, ...others } = checked;
  const cells = isShort ? NO_FIELDS : ({ ...others, ...location } as Readonly<Record<string, Cell>>);
  rows.startRow(COMMON_COLUMNS.length + columns.length);
  rows.bigint(line);
  rows.boolean(isShort);
  writeCell(rows, source);
  writeCell(rows, checked.id);
  writeCell(rows, checked.created_at);
  writeCell(rows, checked.updated_at);
  rows.boolean(checked.deleted ?? false);
  for (const column of columns) writeCell(rows, cells[column], integers.has(column));
}

interface CheckedLine {
  readonly id: string;
  readonly created_at?: Date;
  readonly updated_at?: Date;
  readonly deleted?: boolean;
  readonly location?: object | null;
}

function check({ line }: LineKind, record: JsonRecord, isShort: boolean): CheckedLine {
  const checked = plainToInstance(line, prepared(record, line, MAX_UNKNOWN).value) as CheckedLine;
  const errors = validateSync(checked, VALIDATION);
  // Of a short form only what it has is looked at.
  const found = isShort ? errors.filter(({ property }) => property === 'id') : errors;
  const faults: FieldFault[] = faultsOf(found);
  if (faults.length > 0) throw new RefusedLine(...faults);
  return checked;
}

function writeCell(rows: CopyRows, value: Cell, isInteger = false): void {
  if (value === null || value === undefined) rows.null();
  else if (typeof value === 'string') rows.text(value);
  else if (typeof value === 'boolean') rows.boolean(value);
  else if (typeof value !== 'number') rows.instant(value.getTime());
  else if (isInteger) rows.integer(value);
  else rows.double(value);
}
