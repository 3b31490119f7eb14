// The types a field of a line can have. Each checks a value and writes it as the next column of a COPY row, or refuses
// the line.
import { CopyRows } from './copy-rows.js';
import { parseInstant } from '../datetime/instant.js';
import { quote } from '../problems/quote.js';
import { RefusedLine } from './refused-line.js';

/** Writes one column. `name` is the field as the line calls it. */
export type FieldType = (rows: CopyRows, name: string, value: unknown) => void;

export function text(bounds: { min?: number; max?: number } = {}): FieldType {
  const { min = 0, max = Infinity } = bounds;
  return (rows, name, value) => rows.text(readText(name, value, min, max));
}

export function oneOf(allowed: readonly string[]): FieldType {
  return (rows, name, value) => {
    if (typeof value !== 'string' || !allowed.includes(value)) {
      throw new RefusedLine(`${name} must be one of ${allowed.join(', ')}`, quote(value));
    }
    rows.text(value);
  };
}

export const boolean: FieldType = (rows, name, value) => {
  if (typeof value !== 'boolean') throw new RefusedLine(`${name} must be true or false`, quote(value));
  rows.boolean(value);
};

export const instant: FieldType = (rows, name, value) => rows.instant(readInstant(name, value));

export function number(rule: { min?: number; max?: number; above?: number } = {}): FieldType {
  return (rows, name, value) => rows.double(readNumber(name, value, rule));
}

export function integer(rule: { min: number; max: number }): FieldType {
  return (rows, name, value) => {
    const read = readNumber(name, value, rule);
    if (!Number.isInteger(read)) throw new RefusedLine(`${name} must be an integer`, quote(value));
    rows.integer(read);
  };
}

/** May be null or left out, which is the same. */
export function nullable(type: FieldType): FieldType {
  return (rows, name, value) => {
    if (value === null || value === undefined) rows.null();
    else type(rows, name, value);
  };
}

/** May be left out, but is never null. */
export function optional(type: FieldType): FieldType {
  return (rows, name, value) => {
    if (value === undefined) rows.null();
    else type(rows, name, value);
  };
}

export function required(type: FieldType): FieldType {
  return (rows, name, value) => {
    if (value === undefined) throw new RefusedLine(`${name} is missing`);
    type(rows, name, value);
  };
}

export function readText(name: string, value: unknown, min: number, max: number): string {
  if (typeof value !== 'string') throw new RefusedLine(`${name} must be a string`, quote(value));
  if (value.length < min) throw new RefusedLine(`${name} must not be empty`);
  // The database counts characters, a string UTF-16 units, of which there are never fewer.
  if (value.length > max && Array.from(value).length > max) {
    throw new RefusedLine(`${name} is longer than ${max} characters`);
  }
  checkStorable(name, value);
  return value;
}

/** Half of a character pair without its other half: no UTF-8 can hold it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function checkStorable(name: string, value: string): void {
  if (value.includes('\0')) throw new RefusedLine(`${name} holds a NUL character`);
  if (LONE_SURROGATE.test(value)) throw new RefusedLine(`${name} holds half a surrogate pair`);
}

export function readInstant(name: string, value: unknown): number {
  const milliseconds = typeof value === 'string' ? parseInstant(value) : undefined;
  if (milliseconds === undefined) {
    throw new RefusedLine(`${name} must be a datetime such as 2026-01-31T08:15:30Z`, quote(value));
  }
  return milliseconds;
}

export function readNumber(
  name: string,
  value: unknown,
  rule: { min?: number; max?: number; above?: number },
): number {
  if (typeof value !== 'number') throw new RefusedLine(`${name} must be a number`, quote(value));
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE, above = -Infinity } = rule;
  if (value >= min && value <= max && value > above) return value;
  const bounds = rule.above === undefined ? `from ${min} to ${max}` : `a number above ${above}`;
  throw new RefusedLine(`${name} must be ${bounds}`, String(value));
}
