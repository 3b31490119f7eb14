// A version after this one that never was: with a migration and a trigger, and functions that are new, gone, and changed in their parameters. And
// the way back to 2.1, as the manual has it.
import { readFileSync } from 'node:fs';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { inProject } from '../../src/platform/config/project.js';
import { operatorOptions } from '../../src/platform/database/data-source.js';
import { migrate, type Migrated } from '../../src/platform/database/migrate.js';
import { migrations } from '../../src/platform/schema/migrations/index.js';
import { sqlFiles } from '../../src/platform/schema/sql-files.js';

interface Version {
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** By their paths. */
  readonly functions: Readonly<Record<string, string>>;
}

/** A migration makes the function that its trigger needs; the file replaces it. */
class Colours9000000000000 implements MigrationInterface {
  readonly name = 'Colours9000000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tanks add column finish text;
      create function paint() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger paint before insert on tanks for each row execute function paint()`);
  }

  down = (): Promise<void> => Promise.resolve();
}

const { 'background/sql/background_ages.sql': _gone, ...kept } = sqlFiles();
const PAGE = 'telemetry/sql/telemetry_page_of.sql';

export const THIS: Version = { migrations, functions: sqlFiles() };
export const NEXT: Version = {
  migrations: [...migrations, Colours9000000000000],
  functions: {
    ...kept,
    [PAGE]: (kept[PAGE] ?? '').replaceAll(/\bsize\b/g, 'most'),
    'tanks/sql/paint.sql': `
      create or replace function paint() returns trigger language plpgsql as $$
      begin
        new.finish := 'here';
        return new;
      end $$`,
    'sensors/sql/discard_uplink.sql': `
      create or replace function discard_uplink(uplink_id text, customer text, reason text) returns text
      language sql as $$ select reason $$;
      revoke execute on function discard_uplink from public`,
  },
};
export async function migrateTo(url: string, { migrations: some, functions }: Version): Promise<Migrated> {
  const dataSource = await new DataSource({ ...operatorOptions(url), migrations: [...some] }).initialize();
  try {
    return await migrate(dataSource, functions);
  } finally {
    await dataSource.destroy();
  }
}

export function sqlBackTo2_1(): string {
  const [, sql = ''] =
    /```sql\n(begin;.*?)```/s.exec(readFileSync(inProject('docs/upgrade.md'), 'utf8')) ?? [];
  return sql;
}
