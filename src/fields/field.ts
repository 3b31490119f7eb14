// The kinds of fields a resource can have, and what is a fault in a value of each.
import { parseInstant } from '../datetime/instant.js';
import { quote } from '../problems/quote.js';
import { fault, type Fault } from '../validation/fault.js';

export type Field = {
  /** May be null, and is when it is left out. */
  readonly nullable?: true;
  /** What a request means that leaves it out. Lines of an import are whole: there it is missing. */
  readonly default?: string | number | boolean;
} & (
  | TextField
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | NumberField
  | { readonly type: 'boolean' | 'instant' }
);

interface TextField extends TextBounds {
  readonly type: 'text';
  /** Not for imports, which take all that can be stored. */
  readonly inRequests?: TextBounds;
}

/** In characters. */
interface TextBounds {
  readonly min?: 0 | 1;
  readonly max?: number;
}

interface NumberField {
  readonly type: 'number' | 'integer';
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
}

/** An instant is the milliseconds since 1970. */
export type FieldValue = string | number | boolean | null;

/** Who wrote the value: a line of an import, or the body of a request. */
export type Source = 'line' | 'request';

/** `name` is what messages call the field. */
export function readValue(field: Field, name: string, value: unknown, source: Source): FieldValue | Fault {
  if (value === undefined) return field.nullable === true ? null : fault(`${name} is missing`);
  if (value === null && field.nullable === true) return null;
  switch (field.type) {
    case 'text':
      return readText(name, value, source === 'request' ? { ...field, ...field.inRequests } : field);
    case 'enum':
      if (typeof value === 'string' && field.values.includes(value)) return value;
      return fault(`${name} must be one of ${field.values.join(', ')}`, quote(value));
    case 'boolean':
      return typeof value === 'boolean' ? value : fault(`${name} must be true or false`, quote(value));
    case 'instant':
      return readInstant(name, value);
    default:
      return readNumber(name, value, field);
  }
}

export function isFault(value: FieldValue | Fault): value is Fault {
  return typeof value === 'object' && value !== null;
}

/** UTF-8 cannot hold half of a surrogate pair. */
const LONE_SURROGATE = /\p{Surrogate}/u;

export function readText(
  name: string,
  value: unknown,
  { min = 0, max = Infinity }: TextBounds,
): string | Fault {
  if (typeof value !== 'string') return fault(`${name} must be a string`, quote(value));
  if (value.length < min) return fault(`${name} must not be empty`);
  // The database counts characters, a string UTF-16 units, of which there are never fewer.
  if (value.length > max && Array.from(value).length > max) {
    return fault(`${name} is longer than ${max} characters`);
  }
  if (value.includes('\0')) return fault(`${name} holds a NUL character`);
  if (LONE_SURROGATE.test(value)) return fault(`${name} holds half a surrogate pair`);
  return value;
}

export function readInstant(name: string, value: unknown): number | Fault {
  const milliseconds = typeof value === 'string' ? parseInstant(value) : undefined;
  return milliseconds ?? fault(`${name} must be a datetime such as 2026-01-31T08:15:30Z`, () => quote(value));
}

export function readNumber(name: string, value: unknown, field: NumberField): number | Fault {
  if (typeof value !== 'number') return fault(`${name} must be a number`, () => quote(value));
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE, above = -Infinity } = field;
  if (!(value >= min && value <= max && value > above)) {
    const bounds = field.above === undefined ? `from ${min} to ${max}` : `a number above ${above}`;
    return fault(`${name} must be ${bounds}`, String(value));
  }
  if (field.type === 'integer' && !Number.isInteger(value)) {
    return fault(`${name} must be an integer`, quote(value));
  }
  return value;
}
