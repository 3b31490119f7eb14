// What is wrong with a value of a body or a file, in words that follow the name of its field.
import { NUMBERS } from '../../rules.js';
import { parseInstant } from '../datetime/datetime.js';
import { didYouMean } from '../problems/did-you-mean.js';
import { fault, quote, type Fault } from './fault.js';

/** In characters. */
export interface TextBounds {
  readonly min?: 0 | 1;
  readonly max?: number;
}

export interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly isWhole?: true;
}

/** Of every object. */
export const ID = { min: 1, max: 255 } as const satisfies TextBounds;

export const MISSING = fault('is missing');
export const AHEAD = `is more than ${NUMBERS.CLOCK_AHEAD / 60} minutes ahead of our clock`;

/** In milliseconds since 1970. */
export const isAhead = (at: number, now: number): boolean => at > now + NUMBERS.CLOCK_AHEAD * 1000;

/** With the name of the field before the words. */
export function named(name: string, { reason, detail }: Fault): Fault {
  return fault(`${name} ${reason}`, detail);
}

export function unknownField(name: string, known: readonly string[]): Fault {
  return fault('unknown field', () => `${quote(name)}; ${didYouMean(name, known)}`);
}

/** Of a list; undefined when all are known. `kind`: what one is called. */
export function unknownMember(
  given: readonly unknown[],
  known: readonly string[],
  kind: string,
): Fault | undefined {
  const other = given.find((one) => typeof one !== 'string' || !known.includes(one));
  if (other === undefined) return undefined;
  const hint = didYouMean(typeof other === 'string' ? other : '', known);
  return fault(`holds an unknown ${kind}`, `${quote(other)}; ${hint}`);
}

/** UTF-8 cannot hold half of a surrogate pair. */
const LONE_SURROGATE = /\p{Surrogate}/u;

export function textFault(value: unknown, { min = 0, max = Infinity }: TextBounds = {}): Fault | undefined {
  if (typeof value !== 'string') return fault('must be a string', () => quote(value));
  if (value.length < min) return fault('must not be empty');
  // The database counts characters, a string UTF-16 units, of which there are never fewer.
  if (value.length > max && Array.from(value).length > max) return fault(`is longer than ${max} characters`);
  if (value.includes('\0')) return fault('holds a NUL character');
  return LONE_SURROGATE.test(value) ? fault('holds half a surrogate pair') : undefined;
}

export function numberFault(value: unknown, bounds: NumberBounds = {}): Fault | undefined {
  if (typeof value !== 'number') return fault('must be a number', () => quote(value));
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE, above = -Infinity, isWhole } = bounds;
  if (!(value >= min && value <= max && value > above)) {
    const wanted = bounds.above === undefined ? `from ${min} to ${max}` : `a number above ${above}`;
    return fault(`must be ${wanted}`, String(value));
  }
  return isWhole === true && !Number.isInteger(value)
    ? fault('must be an integer', () => quote(value))
    : undefined;
}

/** Milliseconds since 1970; undefined when it is no instant. */
export function readInstant(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

export function noInstant(value: unknown): Fault {
  return fault('must be a datetime such as 2026-01-31T08:15:30Z', () => quote(value));
}
