// The names of what may be sent, and those that need care.
import type { Type } from '@nestjs/common';
import { MAX_FAULTS } from './fault.js';

/** A class that inherits its fields lists them here, in the order in which mistakes are reported. */
export interface NamesFields {
  readonly fields: readonly string[];
}

/** Those of a class; without a list of its own, the fields that it declares: they are there from the start. */
export function knownNames(target: object | undefined): readonly string[] {
  if (target === undefined) return [];
  const { constructor: type } = target as { constructor: Type<object> & Partial<NamesFields> };
  return type.fields ?? Object.keys(new type()).filter((name) => !HIDDEN.has(name));
}

/** Set by the service itself. */
const HIDDEN: ReadonlySet<string> = new Set(['format']);

const names = new WeakMap<Type, ReadonlySet<string>>();

/** Of a class, found once. */
function listNames(type: Type): ReadonlySet<string> {
  const known = names.get(type) ?? new Set([...knownNames(new type() as object), ...HIDDEN]);
  names.set(type, known);
  return known;
}

/** As JSON or a query has it: not an object of ours. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Makes a name one that no class has. */
const MARK = '\0';

export const unmarked = (name: string): string => (name.startsWith(MARK) ? name.slice(1) : name);

/** How many names are looked at within an object that was sent: checking thousands takes long. */
const MAX_WITHIN = 300;

/**
 * What was sent, as class-transformer takes it. Names that an object has without being sent them, such as `constructor`, and those of the
 * class's own getters would be left out in silence: they are marked, as unknown names like others. `dropped`: how many are not looked at.
 */
export function prepared(
  value: unknown,
  type: Type,
  maxUnknown = MAX_FAULTS,
): { value: unknown; dropped: number } {
  if (!isPlain(value)) return { value, dropped: 0 };
  const known = listNames(type);
  const isAsItShould = ([name, one]: [string, unknown]) =>
    known.has(name) && !isPlain(one) && !Array.isArray(one);
  if (Object.entries(value).every(isAsItShould)) return { value, dropped: 0 };
  const isKnown = ([name]: [string, unknown]) => known.has(name);
  const entries = Object.entries(value);
  const unknown = entries.filter((entry) => !isKnown(entry));
  const dropped = Math.max(unknown.length - maxUnknown, 0);
  const kept = dropped === 0 ? entries : [...entries.filter(isKnown), ...unknown.slice(0, maxUnknown)];
  return { value: marked(kept, type.prototype as object), dropped };
}

function marked(entries: [string, unknown][], prototype: object): object {
  const isInherited = (name: string) => name === 'prototype' || name in prototype;
  return Object.fromEntries(
    entries.map(([name, one]) => [isInherited(name) ? MARK + name : name, markedWithin(one)]),
  );
}

function markedWithin(one: unknown): unknown {
  if (Array.isArray(one)) return one.map(markedWithin);
  return isPlain(one) ? marked(Object.entries(one).slice(0, MAX_WITHIN), Object.prototype) : one;
}
