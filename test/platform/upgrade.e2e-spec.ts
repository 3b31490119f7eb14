// From 2.1 to this version and to one after it: a filled database, migrated, has lost nothing, counts as it did, lets the same keys in, and is
// made like any other. Instances of the version before are served, or told to wait.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { gunzipSync } from 'node:zlib';
import { BASELINE } from '../../src/platform/schema/migrations/index.js';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import { runCli } from '../support/cli.js';
import { contentsOf, type Contents } from '../support/contents.js';
import {
  copyTemplate,
  createBareDatabase,
  execute,
  openPool,
  query,
  type TestDatabase,
} from '../support/database.js';
import { createTestDatabase } from '../support/test-database.js';
import { migrateTo, NEXT, sqlBackTo2_1, THIS } from './next-version.js';

/** What pg_dump has written of a database of 2.1.0 that began as one of 1.0 and then of 2.0, and one of its keys. */
const OF_2_1 = gunzipSync(readFileSync(new URL('database-of-2.1.0.sql.gz', import.meta.url))).toString();

async function databaseOf2_1(): Promise<TestDatabase> {
  const database = await createBareDatabase();
  await execute(database.url, OF_2_1);
  return database;
}

const RAN = 'select timestamp::text, name from migrations order by id';

/** What there is in a database, but for functions that only tell that they are gone. */
async function schemaOf(url: string): Promise<unknown[]> {
  return query(
    url,
    `select oid::regprocedure::text as name, pg_get_function_result(oid) || prosecdef || coalesce(proconfig::text, '') || prosrc as text
     from pg_proc where pronamespace = 'public'::regnamespace
       and not exists (select from installed_functions where name = proname and hash = 'retired')
     union all
     select tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all
     select relation || ' ' || attname, concat_ws(' ', attnum, format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull,
                                                  attidentity, attgenerated, pg_get_expr(adbin, adrelid), reloptions)
     from pg_attribute
     join (select oid, oid::regclass as relation, reloptions from pg_class where relnamespace = 'public'::regnamespace) made on oid = attrelid
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attnum > 0
     union all
     select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
     join pg_class on pg_class.oid = indrelid and relnamespace = 'public'::regnamespace
     union all
     select conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) from pg_constraint
     where connamespace = 'public'::regnamespace
     order by 1, 2`,
  );
}

describe('a database of 2.1, migrated', () => {
  let sql: Pool;
  let before: Contents;
  let said: string;
  let service: TestService;

  beforeAll(async () => {
    const database = await databaseOf2_1();
    sql = openPool(database.url, { max: 2 });
    before = await contentsOf(sql);
    said = (await runCli(database.url, 'migrate')).stderr;
    service = await startService({ database });
  });
  afterAll(() => sql.end());

  it('is made as if it had always been one of this version', async () => {
    const fresh = await createTestDatabase();
    const names = 'select name from migrations order by id';

    expect(said).toContain(`migrated: ${BASELINE}\n`);
    expect(await schemaOf(service.database.url)).toEqual(await schemaOf(fresh.url));
    expect(await query(service.database.url, names)).toEqual(await query(fresh.url, names));
    expect(await migrateTo(service.database.url, THIS)).toEqual({ migrations: [], functions: [], steps: [] });
    await fresh.drop();
  });

  it('holds what it held', async () => {
    expect(await contentsOf(sql)).toMatchObject(before); // later migrations may have added columns
    expect([before.customers, before.tanks, before.telemetry].map((rows) => rows.length)).toEqual([
      2, 3, 103,
    ]);
    const { rows } = await sql.query(
      `select (select count(*)::int from webhook_deliveries where status = 'pending') as pending,
              (select profile_id from tank_sensors) as profile,
              (select count(*)::int from sensor_profiles where id = 'r718pe') as "deletedProfile"`,
    );
    expect(rows).toEqual([{ pending: 1, profile: 'em400-udl', deletedProfile: 0 }]);
  });

  it('can be put back as the manual says, and migrated again', async () => {
    const [of2_1, own] = [await databaseOf2_1(), await databaseOf2_1()];
    await migrateTo(own.url, THIS);
    await execute(own.url, sqlBackTo2_1());

    const names = 'select timestamp, name from migrations';
    expect(await query(own.url, names)).toEqual(expect.arrayContaining(await query(of2_1.url, names)));
    expect((await migrateTo(own.url, THIS)).migrations).toEqual([BASELINE]);
    await Promise.all([of2_1.drop(), own.drop()]);
  });
});

/** What these rules were in 3.0, as far as it matters here. */
const AS_IN_3_0 = `
  delete from migrations where name like '%179513200_000';
  drop table countries;
  create or replace function device_key(id text) returns text language sql immutable parallel safe as $$
    select case when id ~ '^[0-9A-Fa-f]{16}$' then upper(id collate "C") else id end
  $$;
  reindex index tanks_of_device;
  create or replace function keep_search_text() returns trigger language plpgsql as $$
  begin
    new.search_text := folded(new.name);
    return new;
  end $$`;

describe('a database of 3.0, migrated', () => {
  const EUI = '70B3D549C1E9FFFF';
  let service: TestService;

  beforeAll(async () => {
    const database = await copyTemplate();
    await execute(database.url, AS_IN_3_0);
    const sql = openPool(database.url);
    await insertCustomer(sql, { id: 'c', name: 'Anna', phone: '0664 / 123 45 67' });
    const address = { street: 'Grazer Str.', street_number: '14a', country: 'Österreich' };
    await insertTank(sql, 'c', { id: 'a', assigned_device_id: '70B3 D549 C1E9 FFFF', ...address });
    await insertTank(sql, 'c', { id: 'b', assigned_device_id: '70b3-d549-c1e9-ffff' });
    await insertTank(sql, 'c', { id: 'once', assigned_device_id: '70b3.d549.c1e9.c3c0' });
    await sql.query(
      `insert into quarantined_uplinks (id, created_at, source, device_id, sent_at, reason, payload)
       select 'u' || n, now(), 'generic', device, '2026-01-01Z', 'unknown_device', '{}'
       from unnest('{70B3 D549 C1E9 FFFF, 70b3:d549-c1e9-ffff, 0000 X}'::text[]) with ordinality uplink (device, n)`,
    );
    await sql.end();
    await migrateTo(database.url, THIS);
    service = await startService({ database });
  });

  it('finds addresses, phones and countries of the rows that were there, which nobody sees changed', async () => {
    const { sql, api } = service;
    for (const q of ['Grazer Straße 14a', 'austria', '+43 664 1234567 grazer', EUI.toLowerCase()]) {
      const { body } = await api.get(`/v1/fleet/tanks?q=${encodeURIComponent(q)}`).expect(200);
      expect(body.data).toContainEqual(expect.objectContaining({ tank_id: 'a' }));
    }
    expect((await sql.query(`select from tanks where updated_at <> created_at`)).rowCount).toBe(0);
    expect((await sql.query(`select from pg_trigger where tgenabled = 'D'`)).rowCount).toBe(0);
  });

  it('knows devices however they were written, and serves tanks that turn out to share one', async () => {
    const key = await service.createKey({ scopes: ['read', 'telemetry:write', 'tanks:write'] });
    const office = service.agent(key);
    const send = async (device: string) => {
      const reading = { device_id: device, created_at: '2026-01-01T00:00:00Z', fill_percentage: 50 };
      const { body } = await office.post('/v1/telemetry').send({ readings: [reading] });
      return [body.created, body.errors[0]?.code];
    };
    expect(await send('70B3D549C1E9C3C0')).toEqual([1, undefined]);
    expect(await send(EUI)).toEqual([0, 'ambiguous_device']);
    const { body } = await office.get(`/v1/tanks?assigned_device_id=${EUI}`).expect(200);
    expect(body.data.map(({ assigned_device_id: id }: Record<string, unknown>) => id)).toEqual([
      '70b3-d549-c1e9-ffff',
      '70B3 D549 C1E9 FFFF',
    ]);
    await office.patch('/v1/tanks/a').send({ name: 'x' }).expect(200);
    await office.patch('/v1/tanks/a').send({ assigned_device_id: '' }).expect(200);
    expect(await send(EUI)).toEqual([1, undefined]);
    const uplinks = await office.get(`/v1/uplinks?device_id=${EUI}`).expect(200);
    expect(uplinks.body).toMatchObject({ total_items: 1, data: [{ id: 'u2', device_id: EUI }] });
  });
});

describe('a database that cannot be migrated', () => {
  const THROUGH_2_1 =
    /^error: This database is of a version before 2\.1\.0\. .* git checkout 7799a83 && npm ci && npm run migrate; then .*\(docs\/upgrade\.md\)\.\n$/;
  const FOREIGN =
    /^error: The released migrations did not make the tables of this database; .* \(docs\/upgrade\.md\)\.\n$/;

  it.each([
    ['is of 2.0', 'delete from migrations where timestamp > 1767225600008', THROUGH_2_1],
    [
      'has a migration that no release has',
      `insert into migrations (timestamp, name) values (1767225600011, 'Feed1767225600011')`,
      FOREIGN,
    ],
    ['has tables that no migration has made', 'delete from migrations', FOREIGN],
    ['lacks a table', 'drop table installed_functions', FOREIGN],
  ])('because it %s stays as it is, and the way out is said', async (_, change, message) => {
    const own = await databaseOf2_1();
    await execute(own.url, change);
    const before = await query(own.url, RAN);

    const { code, stderr } = await runCli(own.url, 'migrate');

    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(await query(own.url, RAN)).toEqual(before);
    await own.drop();
  });
});

describe('the version after this one', () => {
  it('makes the same of a database of 2.1, of one of this version, and of an empty one', async () => {
    const [empty, ofThis, of2_1] = [
      await createBareDatabase(),
      await createTestDatabase(),
      await databaseOf2_1(),
    ];
    for (const { url } of [empty, ofThis, of2_1]) await migrateTo(url, NEXT);

    const schema = await schemaOf(empty.url);
    expect(await schemaOf(ofThis.url)).toEqual(schema);
    expect(await schemaOf(of2_1.url)).toEqual(schema);
    // Behind a trigger that a migration made is the function of the file.
    const sql = openPool(empty.url);
    await insertCustomer(sql, { id: 'c' });
    await insertTank(sql, 'c', {});
    expect(await query(empty.url, 'select finish from tanks')).toEqual([{ finish: 'here' }]);
    await sql.end();
    await Promise.all([empty, ofThis, of2_1].map((one) => one.drop()));
  });

  it('lets instances of this one answer 503 meanwhile, and where their function is gone, and all else as before', async () => {
    const service = await startService();
    const { database, api, sql } = service;
    await insertCustomer(sql, { id: 'c' });
    await insertTank(sql, 'c', { id: 't' });
    const writer = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));
    const reading = { tank_id: 't', created_at: '2026-01-01T00:00:00Z', fill_percentage: 1 };
    const send = () => writer.post('/v1/telemetry').send({ readings: [reading] });
    const { 'telemetry/ingest/sql/write_readings.sql': _, ...functions } = NEXT.functions;
    await send().expect(200);

    const during = { migrate: true, statuses: new Set<number>() };
    const caller = (async () => {
      while (during.migrate) {
        during.statuses.add((await send()).status);
        during.statuses.add((await api.get('/v1/tanks/t')).status);
      }
    })();
    await migrateTo(database.url, { ...NEXT, functions });
    during.migrate = false;
    await caller;

    expect([...during.statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const { headers } = await send().expect(503);
    expect(headers).toHaveProperty('retry-after');
    await api.get('/v1/tanks/t').expect(200);
  });
});
