// The entities describe the tables that the migrations make: column by column, both ways. A migration that forgets its entity, or
// an entity that no migration follows, fails here.
import { afterAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DataSource, getMetadataArgsStorage, type ColumnType, type EntityMetadata } from 'typeorm';
import { operatorOptions } from '../src/database/data-source.js';
import { createTestDatabase } from './support/database.js';

const database = await createTestDatabase();
const dataSource = await openWithEntities();
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** All there are, by their file names, whatever module registers them. */
async function openWithEntities(): Promise<DataSource> {
  for (const file of entityFiles()) await import(file);
  const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
  return new DataSource({ ...operatorOptions(database.url), entities }).initialize();
}

function entityFiles(): string[] {
  const source = fileURLToPath(new URL('../src', import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.entity.ts')).map((file) => `${source}/${file}`);
}

interface Column {
  readonly column: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  readonly isPrimary: boolean;
}

/** As the database has them. One that numbers itself has a default of a kind. */
function columnsInDatabase(table: string): Promise<Column[]> {
  return dataSource.query(
    `select attribute.attname as column,
            format_type(attribute.atttypid, attribute.atttypmod) as type,
            not attribute.attnotnull as "isNullable",
            attribute.atthasdef as "hasDefault",
            coalesce(attribute.attnum = any (primary_key.conkey), false) as "isPrimary"
     from pg_attribute attribute
     left join pg_constraint primary_key on primary_key.conrelid = attribute.attrelid and primary_key.contype = 'p'
     where attribute.attrelid = to_regclass($1) and attribute.attnum > 0 and not attribute.attisdropped
     order by attribute.attname`,
    [table],
  );
}

function columnsOfEntity({ columns }: EntityMetadata): Column[] {
  return columns
    .map(({ databaseName, type, precision, isArray, isNullable, isPrimary, default: value }) => ({
      column: databaseName,
      type: written(type, precision, isArray),
      isNullable,
      hasDefault: value !== undefined,
      isPrimary,
    }))
    .toSorted((a, b) => (a.column < b.column ? -1 : 1));
}

/** As PostgreSQL writes a type. */
function written(type: ColumnType, precision: number | null | undefined, isArray: boolean): string {
  const name = dataSource.driver.normalizeType({ type, isArray });
  const exact = typeof precision === 'number' ? name.replace('timestamp', `timestamp(${precision})`) : name;
  return isArray ? `${exact}[]` : exact;
}

describe('the entity of', () => {
  it.each(dataSource.entityMetadatas.map((entity) => [entity.tableName, entity] as const))(
    '%s has the columns of its table, and no others',
    async (table, entity) => {
      expect(columnsOfEntity(entity)).toEqual(await columnsInDatabase(table));
    },
  );

  it('every resource is among them', () => {
    const tables = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(tables).toEqual(expect.arrayContaining(['api_keys', 'customers', 'tanks', 'telemetry']));
  });
});
