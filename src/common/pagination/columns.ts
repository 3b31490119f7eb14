// The columns of a CSV file: the fields of an object in their order, without the name of its kind. An object within it, such as
// a location, is spread over columns of its own.
import type { Type } from '@nestjs/common';

export interface Column {
  readonly name: string;
  readonly valueIn: (item: object) => unknown;
}

/** A class has its fields from the start; a nested object that becomes several columns must have an initialiser. */
export function listCsvColumns(type: Type<object>): readonly Column[] {
  return listColumnsOfExample(new type());
}

function listColumnsOfExample(example: object): readonly Column[] {
  return Object.entries(example).flatMap(([name, value]: [string, unknown]): Column[] => {
    if (name === 'object') return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [{ name, valueIn: (item) => readField(item, name) }];
    return listColumnsOfExample(value).map((inner) => ({
      name: `${name}_${inner.name}`,
      valueIn: (item) => inner.valueIn(Object(readField(item, name)) as object),
    }));
  });
}

function readField(item: unknown, name: string): unknown {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[name] : undefined;
}

export interface ImportedKind {
  readonly object: 'customer' | 'tank';
  readonly table: 'customers' | 'tanks';
  readonly entity: Type<object>;
  /** What a line is checked by. */
  readonly line: Type<object>;
  /** As the API shows it. */
  readonly response: Type<object>;
  /** What is shown and not stored, as PostgreSQL computes it for a row that is named after the object. */
  readonly computed: Readonly<Record<string, string>>;
}
