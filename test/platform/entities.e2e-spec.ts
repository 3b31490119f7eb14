// The entities describe the tables that the migrations make, column by column, both ways. A migration that forgets the entity of its
// table, or an entity that no migration follows, fails here. Tables that only SQL reads and writes have none.
import { afterAll, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DataSource, getMetadataArgsStorage, type ColumnType, type EntityMetadata } from 'typeorm';
import { operatorOptions } from '../../src/platform/database/data-source.js';
import { createTestDatabase } from '../support/test-database.js';

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
  const source = fileURLToPath(new URL('../../src', import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.entity.ts')).map((file) => `${source}/${file}`);
}

interface Column {
  readonly column: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** By the database alone: numbered, or worked out from other columns. */
  readonly isMade: boolean;
  readonly isPrimary: boolean;
}

/** As the database has them. Where a table has no primary key, TypeORM is told that it is the whole row. */
function columnsInDatabase(table: string): Promise<Column[]> {
  return dataSource.query(
    `select attribute.attname as column,
            format_type(attribute.atttypid, attribute.atttypmod) as type,
            not attribute.attnotnull as "isNullable",
            attribute.atthasdef and attribute.attgenerated = '' as "hasDefault",
            attribute.attidentity <> '' or attribute.attgenerated <> '' as "isMade",
            coalesce(attribute.attnum = any (primary_key.conkey), true) as "isPrimary"
     from pg_attribute attribute
     left join pg_constraint primary_key on primary_key.conrelid = attribute.attrelid and primary_key.contype = 'p'
     where attribute.attrelid = to_regclass($1) and attribute.attnum > 0 and not attribute.attisdropped
     order by attribute.attname`,
    [table],
  );
}

function columnsOfEntity({ columns }: EntityMetadata): Column[] {
  return columns
    .map((column) => ({
      column: column.databaseName,
      type: written(column.type, column.precision, column.isArray),
      isNullable: column.isNullable,
      hasDefault: column.default !== undefined,
      isMade: column.isGenerated || !column.isInsert,
      isPrimary: column.isPrimary,
    }))
    .toSorted((a, b) => (a.column < b.column ? -1 : 1));
}

/** As PostgreSQL writes a type. */
function written(type: ColumnType, precision: number | null | undefined, isArray: boolean): string {
  const name = dataSource.driver.normalizeType({ type, isArray });
  const exact = typeof precision === 'number' ? name.replace('timestamp', `timestamp(${precision})`) : name;
  return isArray ? `${exact}[]` : exact;
}

it.each(dataSource.entityMetadatas.map((entity) => [entity.tableName, entity] as const))(
  'the entity of %s has the columns of its table, and no others',
  async (table, entity) => {
    expect(columnsOfEntity(entity)).toEqual(await columnsInDatabase(table));
  },
);
