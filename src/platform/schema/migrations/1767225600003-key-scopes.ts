// What a key may do: keys that exist, and those an earlier version makes, may read, as before. And which functions are installed.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyScopes1767225600003 implements MigrationInterface {
  readonly name = 'KeyScopes1767225600003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys add column scopes text[] not null default '{read}'
        constraint api_keys_scopes_are_known
        check (cardinality(scopes) > 0
          and scopes <@ '{read,telemetry:write,customers:write,tanks:write}'::text[]);
      create table installed_functions (name text primary key, hash text not null)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // These two return rows of the tables that earlier migrations drop.
    await runner.query(`
      drop function if exists write_customer, write_tank;
      drop table installed_functions;
      alter table api_keys drop column scopes`);
  }
}
