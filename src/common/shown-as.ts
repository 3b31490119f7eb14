// An answer made of a row: the class is the list of what is shown.
import type { Type } from '@nestjs/common';

/** Of a statement, whose times are texts, or of the entity, whose times are dates. */
export type Row<Entity> = {
  readonly [Name in keyof Entity]: Date extends Entity[Name] ? Entity[Name] | string : Entity[Name];
};

const names = new Map<Type, readonly string[]>();

/** The fields that the class has, in its order; what else was read stays inside. Lists with many rows are written out, which is faster. */
export function shownAs<T extends object>(type: Type<T>, fields: T): T {
  const shown = names.get(type) ?? Object.keys(new type());
  names.set(type, shown);
  return Object.fromEntries(shown.map((name) => [name, fields[name as keyof T]])) as T;
}
