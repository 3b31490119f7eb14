// The columns of a CSV file: the fields of an object in their order, without the name of its kind. An object of plain values within it,
// such as a location, is spread over columns of its own; a deeper one is one cell.
import type { Type } from '@nestjs/common';

export interface Column {
  readonly name: string;
  readonly valueIn: (item: object) => unknown;
}

/** A class has its fields from the start; those that are to be spread are made with it. */
export function columnsOf(type: Type<object>): readonly Column[] {
  return columnsOfExample(new type());
}

export function columnsOfExample(example: object): readonly Column[] {
  return Object.entries(example).flatMap(([name, value]: [string, unknown]): Column[] => {
    if (name === 'object') return [];
    if (!isFlat(value)) return [{ name, valueIn: (item) => valueOf(item, name) }];
    return Object.keys(value).map((inner) => ({
      name: `${name}_${inner}`,
      valueIn: (item) => valueOf(valueOf(item, name), inner),
    }));
  });
}

function isFlat(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((inner) => typeof inner !== 'object' || inner === null);
}

function valueOf(item: unknown, name: string): unknown {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[name] : undefined;
}
