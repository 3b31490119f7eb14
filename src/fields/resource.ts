// Customers and tanks: one list of the fields and rules of each, which import, export and statements share. An object is checked
// against it, and all its faults are reported at once.
import { didYouMean } from '../problems/did-you-mean.js';
import { quote } from '../problems/quote.js';
import { fault, type Fault } from '../validation/fault.js';
import { isFault, readValue, type Field, type FieldValue, type Source } from './field.js';

export type JsonRecord = Readonly<Record<string, unknown>>;

interface Description {
  readonly object: 'customer' | 'tank';
  readonly table: 'customers' | 'tanks';
  /** In the order of the columns, in which faults are reported. A dot stands before what callers see within another object. */
  readonly fields: Readonly<Record<string, Field>>;
  /** What is shown and not stored, as PostgreSQL computes it for a row that is named after the object. */
  readonly computed?: Readonly<Record<string, string>>;
  /** What is wrong with several fields together. */
  readonly together?: (given: JsonRecord) => FieldFault | undefined;
}

export type Resource = ReturnType<typeof describeResource>;

/** The pointer (RFC 6901) is where the fault is. */
export type FieldFault = Fault & { readonly pointer: string };

/** Of every resource. */
export const ID = { type: 'text', min: 1, max: 255 } as const satisfies Field;
const COMMON_NAMES = ['id', 'object', 'created_at', 'updated_at', 'deleted'];

/** How many unknown fields of an object are named: a line may have a hundred thousand. */
const MAX_UNKNOWN: Record<Source, number> = { line: 20, request: 100 };

export function describeResource(description: Description) {
  const { object, table, computed = {}, together = () => undefined } = description;
  const fields = Object.entries(description.fields).map(([name, field]) => {
    const [column = name, within = ''] = name.split('.').toReversed();
    return { ...field, name, column, within };
  });
  const inner = [...new Set(fields.map(({ within }) => within))].filter((within) => within !== '');
  const namesIn = (outer: string) =>
    fields.filter(({ within }) => within === outer).map(({ column }) => column);
  const own = [...Object.keys(computed), ...namesIn(''), ...inner];
  return {
    object,
    table,
    computed,
    together,
    fields,
    /** The names within each object, those of the resource itself ('') last. */
    names: new Map([
      ...inner.map((within): [string, Set<string>] => [within, new Set(namesIn(within))]),
      ['', new Set([...COMMON_NAMES, ...own])],
    ]),
    /** The names in the order in which the API shows them: id and object, then alphabetically. */
    shown: ['id', 'object', ...['created_at', 'updated_at', ...own].toSorted()],
    /** Where a fault may be, in the order in which the API shows the fields. */
    pointers: ['id', 'object', ...['created_at', 'updated_at', ...own].toSorted(), 'deleted'].flatMap(
      (name) => [`/${name}`, ...namesIn(name).map((within) => `/${name}/${within}`)],
    ),
    /** What a request gets that leaves them out. */
    defaults: Object.fromEntries<unknown>([
      ...inner.map((within) => [within, {}] as const),
      ...fields.flatMap((field) =>
        field.default === undefined ? [] : [[field.name, field.default] as const],
      ),
    ]),
  };
}

/** `values` are those of the fields, in their order; they are good when there are no faults. */
export function readObject(
  { defaults, names, fields, together }: Resource,
  sent: JsonRecord,
  source: Source,
): { values: FieldValue[]; faults: FieldFault[] } {
  const given = source === 'request' ? { ...defaults, ...sent } : sent;
  const faults: FieldFault[] = [];
  const objects = new Map<string, JsonRecord>();
  for (const within of names.keys()) {
    const object = within === '' ? given : given[within] === null ? {} : given[within];
    objects.set(within, isRecord(object) ? object : {});
    if (!isRecord(object)) faults.push({ pointer: `/${within}`, ...noObject(within, object) });
  }
  const values = fields.map((field) => {
    const value = readValue(field, field.name, objects.get(field.within)?.[field.column], source);
    if (!isFault(value)) return value;
    faults.push({ pointer: `/${field.name.replace('.', '/')}`, ...value });
    return null;
  });
  const found = together(given);
  if (found !== undefined) faults.push(found);
  for (const [within, object] of objects) faults.push(...unknownFields(names, object, source, within));
  return { values, faults };
}

/** Of a merge patch (RFC 7396): what is not in it stays as it is, and so is undefined here. */
export function readPatch(
  { names, fields, together }: Resource,
  sent: JsonRecord,
): { values: (FieldValue | undefined)[]; faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  const objects = new Map<string, JsonRecord | null>();
  for (const within of names.keys()) {
    const object = within === '' ? sent : sent[within] === undefined ? {} : sent[within];
    objects.set(within, isRecord(object) ? object : null);
    if (object !== null && !isRecord(object)) {
      faults.push({ pointer: `/${within}`, ...noObject(within, object) });
    }
  }
  const values = fields.map((field) => {
    const object = objects.get(field.within);
    if (object === null) return null; // clears all that is within
    const sentValue = object?.[field.column];
    if (sentValue === undefined) return undefined;
    const value = readValue(field, field.name, sentValue, 'request');
    if (!isFault(value)) return value;
    faults.push({ pointer: `/${field.name.replace('.', '/')}`, ...value });
    return undefined;
  });
  const found = together(sent);
  if (found !== undefined) faults.push(found);
  for (const [within, object] of objects) {
    faults.push(...unknownFields(names, object ?? {}, 'request', within));
  }
  return { values, faults };
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function noObject(name: string, value: unknown): Fault {
  if (value === undefined) return fault(`${name} is missing`);
  return fault(`${name} must be an object or null`, quote(value));
}

/** A typo in an optional field would otherwise clear that field. */
export function unknownFields(
  names: Resource['names'],
  given: JsonRecord,
  source: Source,
  within = '',
): FieldFault[] {
  const known = names.get(within) ?? new Set();
  const prefix = within === '' ? '' : `${within}.`;
  const faults: FieldFault[] = [];
  for (const name in given) {
    if (known.has(name)) continue;
    const pointer = `/${prefix.replace('.', '/')}${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const all = Array.from(known, (one) => prefix + one);
    faults.push({ pointer, ...unknownField(prefix + name, all) });
    if (faults.length === MAX_UNKNOWN[source]) break;
  }
  return faults;
}

export function unknownField(name: string, known: readonly string[]): Fault {
  return fault('unknown field', () => `${quote(name)}; ${didYouMean(name, known)}`);
}

/** The columns that a statement selects, from a row that is named after the object, to show one. */
export function selectList({ object, fields, computed }: Resource): string {
  const columns = ['id', 'created_at', 'updated_at', 'deleted', ...fields.map(({ column }) => column)];
  return [
    ...columns.map((column) => `${object}.${column}`),
    ...Object.entries(computed).map(([name, sql]) => `${sql} as ${name}`),
  ].join(', ');
}
