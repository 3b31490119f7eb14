// The names of what may be sent, and those that need care.
import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
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

/** A constraint of a field that holds objects: their class, and how many there may be. */
export class ObjectsWithin {
  constructor(
    readonly type: Type,
    readonly max = 1,
  ) {}
}

interface Field {
  /** No rule looks at its value. */
  readonly isIgnored: boolean;
  readonly within: ObjectsWithin | undefined;
}

const fieldsOfClasses = new WeakMap<Type, ReadonlyMap<string, Field>>();

/** The names of the fields that class-validator knows of each class, found once. */
function fieldsOf(type: Type): ReadonlyMap<string, Field> {
  let fields = fieldsOfClasses.get(type);
  if (fields === undefined) fieldsOfClasses.set(type, (fields = readFields(type)));
  return fields;
}

function readFields(type: Type): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    const { propertyName } = rule;
    const constraints: readonly unknown[] = Array.isArray(rule.constraints) ? rule.constraints : []; // some have none
    const other = fields.get(propertyName);
    const within: unknown = constraints.find((one) => one instanceof ObjectsWithin);
    fields.set(propertyName, {
      isIgnored: rule.type === ValidationTypes.WHITELIST && other?.isIgnored !== false,
      within: within instanceof ObjectsWithin ? within : other?.within,
    });
  }
  return fields;
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

/** How many names are looked at within an object of no class: checking thousands takes long. */
const MAX_WITHIN = 300;

/** How many more unknown names may be reported, in the whole of one body. */
interface Unknown {
  room: number;
  dropped: number;
}

/**
 * What was sent, as class-transformer takes it. Names that an object has without being sent them, such as `constructor`, and those of the
 * class's own getters would be left out in silence: they are marked, as unknown names like others. Unknown names are looked at as long as
 * there is room for their faults; `dropped` is how many are not. What no rule looks at is not copied.
 */
export function prepared(
  value: unknown,
  type: Type,
  maxUnknown = MAX_FAULTS,
): { value: unknown; dropped: number } {
  if (!isPlain(value)) return { value, dropped: 0 };
  const fields = fieldsOf(type);
  const isAsItShould = ([name, one]: [string, unknown]) =>
    fields.has(name) && !isPlain(one) && !Array.isArray(one);
  if (Object.entries(value).every(isAsItShould)) return { value, dropped: 0 };
  const unknown: Unknown = { room: maxUnknown, dropped: 0 };
  return { value: copied(value, type, unknown), dropped: unknown.dropped };
}

function copied(value: object, type: Type, unknown: Unknown): object {
  const fields = fieldsOf(type);
  const prototype = type.prototype as object;
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const field = fields.get(name);
    if (field !== undefined) {
      const one: unknown = value[name as keyof typeof value];
      entries.push([mark(name, prototype), copiedField(one, field, unknown)]);
    } else if (unknown.room === 0) unknown.dropped += 1;
    else {
      unknown.room -= 1;
      entries.push([mark(name, prototype), null]);
    }
  }
  return Object.fromEntries(entries);
}

function copiedField(one: unknown, { isIgnored, within }: Field, unknown: Unknown): unknown {
  if (typeof one !== 'object' || one === null) return one;
  if (isIgnored) return {};
  if (within === undefined) return markedWithin(one);
  const copy = (object: unknown): unknown =>
    isPlain(object) ? copied(object, within.type, unknown) : markedWithin(object);
  return Array.isArray(one) ? one.slice(0, within.max + 1).map(copy) : copy(one); // one too many is a fault
}

function mark(name: string, prototype: object): string {
  return name === 'prototype' || name in prototype ? MARK + name : name;
}

function markedWithin(one: unknown): unknown {
  if (Array.isArray(one)) return one.map(markedWithin);
  if (!isPlain(one)) return one;
  const entries = Object.entries(one).slice(0, MAX_WITHIN);
  return Object.fromEntries(
    entries.map(([name, inner]) => [mark(name, Object.prototype), markedWithin(inner)]),
  );
}
