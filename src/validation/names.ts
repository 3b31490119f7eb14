// The names of what may be sent, and those that need care.
import type { Type } from '@nestjs/common';

/** By the fields of its class: each is there from the start, undefined or with its default. */
export function knownNames(target: object | undefined): string[] {
  if (target === undefined) return [];
  const { constructor: type } = target as { constructor: Type<object> };
  return Object.keys(new type()).filter((name) => !HIDDEN.has(name));
}

/** Set by the service itself. */
const HIDDEN: ReadonlySet<string> = new Set(['format']);

/** Makes a name one that no class has. */
const MARK = '\0';

export const unmarked = (name: string): string => (name.startsWith(MARK) ? name.slice(1) : name);

/**
 * Names that an object has without being sent them, such as `constructor`, and those of a class's own getters: class-transformer leaves
 * them out in silence. Marked, they are unknown names like others.
 */
export function markInherited(value: unknown, type: Type): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isInherited = (name: string) => name === 'prototype' || name in type.prototype;
  if (!Object.keys(value).some(isInherited)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [isInherited(name) ? MARK + name : name, one]),
  );
}
