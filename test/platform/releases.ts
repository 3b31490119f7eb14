// Databases of each release, and a version after this one that never was: with a migration and a trigger, and functions that are new, gone,
// and changed in their parameters.
import { readFileSync } from 'node:fs';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { operatorOptions } from '../../src/platform/database/data-source.js';
import { migrate, type Migrated } from '../../src/platform/database/migrate.js';
import { migrations } from '../../src/platform/schema/migrations/index.js';
import { sqlFiles } from '../../src/platform/schema/sql-files.js';

export interface Version {
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** By their paths; the first release had none. */
  readonly functions?: Readonly<Record<string, string>>;
}

const OF_2_0 = readFileSync(new URL('functions-of-2.0.0.sql', import.meta.url), 'utf8');

export const V1_0: Version = { migrations: migrations.slice(0, 3) };
export const V2_0: Version = {
  migrations: migrations.slice(0, 9),
  functions: Object.fromEntries(
    OF_2_0.split(/^-- file: /m)
      .slice(1)
      .map((file) => [file.slice(0, file.indexOf('\n')), file.slice(file.indexOf('\n') + 1)]),
  ),
};
export const THIS: Version = { migrations, functions: sqlFiles() };

/** A migration makes the function that its trigger needs; the file replaces it. */
class Colours9000000000000 implements MigrationInterface {
  readonly name = 'Colours9000000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tanks add column colour text;
      create function paint() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger paint before insert on tanks for each row execute function paint()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function paint cascade; alter table tanks drop column colour');
  }
}

class Nothing9000000000001 implements MigrationInterface {
  readonly name = 'Nothing9000000000001';
  up = (): Promise<void> => Promise.resolve();
  down = (): Promise<void> => Promise.resolve();
}

const { 'background/sql/background_ages.sql': _gone, ...kept } = Object.fromEntries(
  Object.entries(sqlFiles()).map(([path, text]) => [path, withOneMoreParameter(text)]),
);

/** Of a function that a migration of 2.0 calls, and of its calls. */
function withOneMoreParameter(text: string): string {
  return text
    .replaceAll(' states_of_tanks(', ' states_of_tanks(null, ')
    .replace('function states_of_tanks(null, ', 'function states_of_tanks(reason text, ');
}

const PAGE = 'telemetry/sql/telemetry_page_of.sql';
export const NEXT: Version = {
  migrations: [...migrations, Colours9000000000000],
  functions: {
    ...kept,
    [PAGE]: (kept[PAGE] ?? '').replaceAll(/\bsize\b/g, 'most'),
    'tanks/sql/paint.sql': `
      create or replace function paint() returns trigger language plpgsql as $$
      begin
        new.colour := 'red';
        return new;
      end $$`,
    'sensors/sql/discard_uplink.sql': `
      create or replace function discard_uplink(uplink_id text, customer text, reason text) returns text
      language sql as $$ select reason $$;
      revoke execute on function discard_uplink from public`,
  },
};
export const AFTER_NEXT: Version = { ...NEXT, migrations: [...NEXT.migrations, Nothing9000000000001] };

export async function migrateTo(url: string, { migrations: some, functions }: Version): Promise<Migrated> {
  return withDataSource(url, some, async (dataSource) => {
    if (functions !== undefined) return migrate(dataSource, functions);
    return {
      migrations: (await dataSource.runMigrations()).map(({ name }) => name),
      functions: [],
      steps: [],
    };
  });
}

export async function withDataSource<T>(
  url: string,
  some: Version['migrations'],
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = new DataSource({ ...operatorOptions(url), migrations: [...some] });
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
