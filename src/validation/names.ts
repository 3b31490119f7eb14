// The names of what may be sent, and those that need care.
import type { Type } from '@nestjs/common';

/** A class whose fields are declared by others: it says itself which there are, in the order in which mistakes are reported. */
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

/** As JSON or a query has it: not an object of ours. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Makes a name one that no class has. */
const MARK = '\0';

export const unmarked = (name: string): string => (name.startsWith(MARK) ? name.slice(1) : name);

/** How many unknown names are looked at, in an object and within it: checking thousands takes long, and no more are reported. */
const MAX_UNKNOWN = 100;
const MAX_WITHIN = 300;

/**
 * What was sent, as class-transformer takes it. Names that an object has without being sent them, such as `constructor`, and those of the
 * class's own getters would be left out in silence: they are marked, as unknown names like others. `dropped`: how many are not looked at.
 */
export function prepared(
  value: unknown,
  type: Type,
  maxUnknown = MAX_UNKNOWN,
): { value: unknown; dropped: number } {
  if (!isPlain(value)) return { value, dropped: 0 };
  const known = new Set(knownNames(new type() as object));
  const isKnown = ([name]: [string, unknown]) => known.has(name) || HIDDEN.has(name);
  const entries = Object.entries(value);
  const unknown = entries.filter((entry) => !isKnown(entry));
  const dropped = Math.max(unknown.length - maxUnknown, 0);
  const kept = dropped === 0 ? entries : [...entries.filter(isKnown), ...unknown.slice(0, maxUnknown)];
  return { value: marked(kept, type.prototype as object), dropped };
}

function marked(entries: [string, unknown][], prototype: object): object {
  const isInherited = (name: string) => name === 'prototype' || name in prototype;
  return Object.fromEntries(
    entries.map(([name, one]) => [
      isInherited(name) ? MARK + name : name,
      isPlain(one) ? marked(Object.entries(one).slice(0, MAX_WITHIN), Object.prototype) : one,
    ]),
  );
}
