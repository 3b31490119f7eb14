// The columns of a CSV file: the fields of an object in their order, without the name of its kind.
import type { Type } from '@nestjs/common';
import { fieldsOf, type DescribedField } from './described-fields.js';

export interface Column {
  readonly name: string;
  readonly valueIn: (item: object) => unknown;
}

export function columnsOf(type: Type): readonly Column[] {
  return fieldsOf(type).flatMap(columnsOfField);
}

/** An object of plain values, such as a location, is spread over columns of its own; a deeper one is one cell. */
function columnsOfField({ name, type }: DescribedField): Column[] {
  if (name === 'object') return [];
  const inner = type === undefined ? [] : fieldsOf(type);
  if (inner.length === 0 || inner.some((field) => field.type !== undefined)) {
    return [{ name, valueIn: (item) => valueOf(item, name) }];
  }
  return inner.map((field) => ({
    name: `${name}_${field.name}`,
    valueIn: (item) => valueOf(valueOf(item, name), field.name),
  }));
}

function valueOf(item: unknown, name: string): unknown {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[name] : undefined;
}
