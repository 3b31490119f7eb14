// From the first release to this one: a filled database of then, migrated, has lost nothing, counts as it did, lets the same keys
// in, and knows of each tank what this version wants to know.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { newKey } from '../src/auth/api-key.js';
import { verifyCounts } from '../src/counts/counts.js';
import { openDataSource, operatorOptions } from '../src/database/data-source.js';
import { migrate } from '../src/database/migrate.js';
import { migrations } from '../src/schema/migrations/index.js';
import { startService, type TestService } from './support/app.js';
import { insertCustomer, writeReadings, insertTank } from './support/builders.js';
import { contentsOf, type Contents } from './support/contents.js';
import { runCli } from './support/cli.js';
import { createBareDatabase, createTestDatabase, execute, openPool } from './support/database.js';

const FIRST_RELEASE = migrations.slice(0, 3);

const database = await createBareDatabase();
const sql = openPool(database.url, { max: 2 });
const { key, prefix, hash } = newKey();
let before: Contents;
let ran: string[];
let service: TestService;

beforeAll(async () => {
  await migrateTo(FIRST_RELEASE);
  await fill();
  before = await contentsOf(sql);
  ran = await migrateTo(migrations);
  service = await startService({ database });
});
afterAll(() => sql.end());

async function migrateTo(some: typeof migrations): Promise<string[]> {
  const dataSource = new DataSource({ ...operatorOptions(database.url), migrations: some });
  await dataSource.initialize();
  try {
    if (some === migrations) return (await migrate(dataSource)).migrations;
    return (await dataSource.runMigrations()).map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}

/** Deleted ones, months apart, a tank without readings and one with a few days of them. */
async function fill(): Promise<void> {
  await insertCustomer(sql, { id: 'alive', created_at: '2025-11-30T23:59:59.999Z' });
  await insertCustomer(sql, { id: 'deleted', created_at: '2026-01-01T00:00:00.000Z', deleted: true });
  await insertTank(sql, 'alive', { id: 'busy', use_case: 'commercial' });
  await insertTank(sql, 'alive', { id: 'silent' });
  await insertTank(sql, 'deleted', { id: 'gone', deleted: true });
  const readings = Array.from({ length: 100 }, (_, n) => ({
    created_at: new Date(Date.UTC(2026, 0, 28) + n * 3_600_000).toISOString(),
    fill_percentage: 90 - n / 2,
  }));
  await writeReadings(sql, 'busy', readings);
  await writeReadings(sql, 'gone', readings.slice(0, 3));
  await sql.query('insert into api_keys (prefix, hash, name) values ($1, $2, $3)', [prefix, hash, 'of then']);
}

describe('a database of the first release, migrated', () => {
  it('ran every migration since, once', () => {
    expect(ran).toEqual(migrations.slice(FIRST_RELEASE.length).map(({ name }) => name));
  });

  it('holds what it held', async () => {
    expect(await contentsOf(sql)).toEqual(before);
    expect(before.telemetry).toHaveLength(103);
  });

  it('counts as it counted', async () => {
    const dataSource = await openDataSource(operatorOptions(database.url));
    expect(await verifyCounts(dataSource)).toMatchObject({ total: 0 });
    await dataSource.destroy();
    expect(
      await sql
        .query('select list, n::int from list_counts where level = 0 order by list')
        .then(({ rows }) => rows),
    ).toEqual([
      { list: 'customers', n: 1 },
      { list: 'tanks', n: 2 },
    ]);
  });

  it('lets the keys in that it let in, to read', async () => {
    const tanks = await service.agent(key).get('/v1/tanks').expect(200);
    expect(tanks.body).toMatchObject({ total_items: 2 });
    const readings = await service.agent(key).get('/v1/tanks/busy/telemetry?size=1&page=100').expect(200);
    expect(readings.body).toMatchObject({ total_items: 100, data: [{ fill_percentage: 90 }] });
    expect((await service.raw({ method: 'POST', path: '/v1/telemetry', body: '{}' }, key)).status).toBe(403);
  });

  it('knows of each tank what is known now', async () => {
    const { rows } = await sql.query('select tank_id, fill_percentage from tank_states order by tank_id');
    expect(rows).toEqual([
      { tank_id: 'busy', fill_percentage: 40.5 },
      { tank_id: 'gone', fill_percentage: 89 },
      { tank_id: 'silent', fill_percentage: null },
    ]);
  });
});

const WAY_OUT =
  /Export with the version that made it, migrate an empty database, import there, and create keys anew \(docs\/upgrade\.md\)\.\n$/;

describe('a database of an unreleased version', () => {
  it.each([
    [
      'with a migration that no release has',
      `delete from migrations where name = 'Changes1767225600008';
       insert into migrations (timestamp, name) values (1767225600008, 'Feed1767225600008')`,
      /this version does not know its migrations Feed1767225600008\. /,
    ],
    [
      'with tables of a migration that has another name now',
      `delete from migrations where name = 'Changes1767225600008'`,
      /relation "change_notes" already exists\. /,
    ],
    [
      'without a table that its migrations make in a release',
      'drop table installed_functions',
      /relation "installed_functions" does not exist\. /,
    ],
  ])('%s is not migrated, and what to do is said', async (_, change, reason) => {
    const own = await createTestDatabase();
    await execute(own.url, change);

    const { code, stderr } = await runCli(own.url, 'migrate');

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The released migrations did not make the tables of this database; /);
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(WAY_OUT);
    await own.drop();
  });

  it('is not taken for one of a later version, which has all migrations of this one', async () => {
    const own = await createTestDatabase();
    await execute(
      own.url,
      `insert into migrations (timestamp, name) values (9999999999999, 'Later9999999999999')`,
    );

    expect(await runCli(own.url, 'migrate')).toMatchObject({ code: 0 });
    await own.drop();
  });
});
