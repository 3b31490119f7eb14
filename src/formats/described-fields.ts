// What a response class says of its fields with @ApiProperty, as @nestjs/swagger keeps it: the OpenAPI document is made of it,
// and so are the columns of a CSV file. formats.e2e-spec.ts fails when it is kept elsewhere.
import type { Type } from '@nestjs/common';

export interface DescribedField {
  readonly name: string;
  readonly example: unknown;
  /** When the field is an object, its class. */
  readonly type: Type | undefined;
}

/** The names of the fields in their order, each after a colon; and what was said about each. */
const NAMES = 'swagger/apiModelPropertiesArray';
const FIELD = 'swagger/apiModelProperties';

export function fieldsOf(type: Type): DescribedField[] {
  return namesOf(type).map((marked) => {
    const name = marked.slice(1);
    const { example, type: told } = (Reflect.getMetadata(FIELD, type.prototype, name) ?? {}) as {
      example?: unknown;
      type?: unknown;
    };
    return { name, example, type: isDescribed(told) ? told : undefined };
  });
}

/** An object as its examples show it. */
export function exampleOf(type: Type): object {
  const fields = fieldsOf(type).map(({ name, example, type: inner }) => [
    name,
    inner === undefined || example !== undefined ? example : exampleOf(inner),
  ]);
  return Object.fromEntries(fields) as object;
}

function namesOf(type: Type): readonly string[] {
  return (Reflect.getMetadata(NAMES, type.prototype) ?? []) as string[];
}

function isDescribed(type: unknown): type is Type {
  return typeof type === 'function' && type.prototype !== undefined && namesOf(type as Type).length > 0;
}
