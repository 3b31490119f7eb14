// What a response class says of its fields with @ApiProperty, as @nestjs/swagger keeps it: the OpenAPI document is made of it,
// and so are the columns of a CSV file. formats.e2e-spec.ts fails when it is kept elsewhere.
import type { Type } from '@nestjs/common';

interface DescribedField {
  readonly name: string;
  readonly example: unknown;
  /** When the field is an object, its class. */
  readonly type: Type | undefined;
}

export interface Column {
  readonly name: string;
  readonly valueIn: (item: object) => unknown;
}

/** The names of the fields in their order, each after a colon; and the description of each. */
const NAMES = 'swagger/apiModelPropertiesArray';
const FIELD = 'swagger/apiModelProperties';

function fieldsOf(type: Type): DescribedField[] {
  return namesOf(type).map((marked) => {
    const name = marked.slice(1);
    const described = Reflect.getMetadata(FIELD, type.prototype, name) as Record<string, unknown> | undefined;
    const inner = described?.['isArray'] === true ? undefined : described?.type;
    return { name, example: described?.example, type: isDescribed(inner) ? inner : undefined };
  });
}

function namesOf(type: Type): readonly string[] {
  return (Reflect.getMetadata(NAMES, type.prototype) ?? []) as string[];
}

function isDescribed(type: unknown): type is Type {
  return typeof type === 'function' && type.prototype !== undefined && namesOf(type as Type).length > 0;
}

/** An object as its examples show it. */
export function exampleOf(type: Type): object {
  const fields = fieldsOf(type).map(({ name, example, type: inner }) => [
    name,
    inner === undefined || example !== undefined ? example : exampleOf(inner),
  ]);
  return Object.fromEntries(fields) as object;
}

/** The fields in their order, without the name of the object's kind. */
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
