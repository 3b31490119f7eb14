// The columns of a table, by its entity: properties have the names of their columns, and those of an embedded object stand beside them.
import { getMetadataArgsStorage, type ColumnType } from 'typeorm';
import { Stored } from './stored.js';

type Entity = new () => object;

/** For the service's own use: what no answer shows and no import brings. */
const INTERNAL: ReadonlySet<string> = new Set(['erased', 'key', 'search_text']);

/** In the order of the entity's properties, without the internal ones. */
export function listColumns(entity: Entity): string[] {
  return Object.entries(new entity())
    .filter(([name]) => !INTERNAL.has(name))
    .flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null ? Object.keys(value) : [name],
    );
}

/** For a statement that calls a row by this name. */
export function selectList(alias: string, entity: Entity): string {
  return listColumns(entity)
    .map((column) => `${alias}.${column}`)
    .join(', ');
}

/** Of each column, from the entity. */
export function columnTypes(entity: Entity): ReadonlyMap<string, ColumnType | undefined> {
  const storage = getMetadataArgsStorage();
  const embedded = storage.filterEmbeddeds(entity).map(({ type }) => type());
  const columns = [Stored, entity, ...embedded].flatMap((target) => storage.filterColumns(target));
  return new Map(columns.map(({ propertyName, options }) => [propertyName, options.type]));
}
