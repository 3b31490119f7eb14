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

/**
 * Names that an object has without being sent them, such as `constructor`, and those of a class's own getters: class-transformer leaves
 * them out in silence. Marked, they are unknown names like others.
 */
export function markInherited(value: unknown, prototype: object = Object.prototype): unknown {
  if (!isPlain(value)) return value;
  const isInherited = (name: string) => name === 'prototype' || name in prototype;
  const entries = Object.entries(value).map(([name, one]: [string, unknown]) => [
    isInherited(name) ? MARK + name : name,
    markInherited(one),
  ]);
  return Object.fromEntries(entries) as object;
}
