// From each release to this one and to one after it: a filled database, migrated, has lost nothing, counts as it did, lets the same keys in,
// and knows of each tank what this version wants to know. Instances of the version before are served, or told to wait.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { newKey } from '../../src/common/auth/api-key.js';
import { verifyCounts } from '../../src/operator/counts/counts.js';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { answeredWith, Deliveries, type ClaimedDelivery } from '../../src/webhooks/deliveries.js';
import { SecretBox } from '../../src/webhooks/secrets.js';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer, writeReadings, insertTank } from '../support/builders.js';
import { contentsOf, type Contents } from '../support/contents.js';
import { runCli } from '../support/cli.js';
import { createBareDatabase, createTestDatabase, execute, openPool, query } from '../support/database.js';
import { AFTER_NEXT, migrateTo, NEXT, THIS, V1_0, V2_0, type Version } from './releases.js';

const { key, prefix, hash } = newKey();

/** Deleted ones, months apart, a tank without readings and one with a few days of them. */
async function fill(sql: Pool): Promise<void> {
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

describe.each([
  ['1.0', V1_0],
  ['2.0', V2_0],
])('a database of %s, migrated', (_, release) => {
  let sql: Pool;
  let before: Contents;
  let ran: string[];
  let service: TestService;

  beforeAll(async () => {
    const database = await createBareDatabase();
    sql = openPool(database.url, { max: 2 });
    await migrateTo(database.url, release);
    await fill(sql);
    before = await contentsOf(sql);
    ran = (await migrateTo(database.url, THIS)).migrations;
    service = await startService({ database });
  });
  afterAll(() => sql.end());

  it('ran every migration since, once', () => {
    expect(ran).toEqual(THIS.migrations.slice(release.migrations.length).map(({ name }) => name));
  });

  it('holds what it held', async () => {
    expect(await contentsOf(sql)).toEqual(before);
    expect(before.telemetry).toHaveLength(103);
  });

  it('counts as it counted', async () => {
    const dataSource = await openDataSource(operatorOptions(service.database.url));
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
     select attrelid::regclass || ' ' || attname, atttypid::regtype || coalesce(pg_get_expr(adbin, adrelid), '')
     from pg_attribute join pg_class on pg_class.oid = attrelid and relnamespace = 'public'::regnamespace
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attnum > 0
     order by 1, 2`,
  );
}

async function databaseOf(...versions: Version[]): Promise<string> {
  const { url } = await createBareDatabase();
  for (const version of versions) await migrateTo(url, version);
  return url;
}

describe('whatever a database was', () => {
  const schemas = new Map<Version, Promise<unknown[]>>();

  function schemaAtOnce(version: Version): Promise<unknown[]> {
    const schema = schemas.get(version) ?? databaseOf(version).then(schemaOf);
    schemas.set(version, schema);
    return schema;
  }

  it.each<[string, Version[], Version]>([
    ['2.0, it becomes one of this version', [V2_0], THIS],
    ['1.0, it becomes one of the next version', [V1_0], NEXT],
    ['1.0 and then this version, it becomes one of the next', [V1_0, THIS], NEXT],
    ['2.0, it becomes one of the next version', [V2_0], NEXT],
    ['2.0 and then this version, it becomes one of the next', [V2_0, THIS], NEXT],
  ])('%s, as if it had always been one', async (_, before, version) => {
    const upgraded = await databaseOf(...before, version);

    expect(await schemaOf(upgraded)).toEqual(await schemaAtOnce(version));
    expect(await migrateTo(upgraded, version)).toEqual({ migrations: [], functions: [], steps: [] });
  });

  it('the real function is behind a trigger that a migration made with another', async () => {
    const url = await databaseOf(V1_0, NEXT);
    const sql = openPool(url);
    await fill(sql);

    expect(await query(url, 'select distinct colour from tanks')).toEqual([{ colour: 'red' }]);
    expect(await query(url, `select distinct kind from change_notes where kind = 't'`)).toHaveLength(1);
    await sql.end();
  });
});

/** Calls as instances of 2.0 made them, of functions that it had. */
const CALLS_OF_2_0 = [
  `select * from write_customer('c', null, '{}', null)`,
  `select * from write_tank('t', null, '{}', 'c', null)`,
  `select * from write_sensor_profile('p', null, '{}') as (id text)`,
  `select delete_sensor_profile('p', '1')`,
  `select write_tank_sensor('t', null, null, null, 'p', null)`,
  `select * from claim_deliveries('w', '{}', '{}', '{}', 0, 0, 0, '1 second')`,
  `select * from record_deliveries('w', '{}', '{}', '{}', '{}', '{}')`,
];
const IS_GONE = { code: '55000', message: expect.stringContaining('replace the instance that calls it') };

describe('an instance of the version before', () => {
  it('of 2.0 finds every function that it calls on a request, some of which tell it to wait', async () => {
    const url = await databaseOf(V2_0);
    const called = `
      select oid::regprocedure::text || ' ' || pg_get_function_result(oid) as call from pg_proc
      where pronamespace = 'public'::regnamespace and proname = any (string_to_array('${REQUESTED_BY_2_0}', ' '))
      order by 1`;
    const before = await query(url, called);
    await migrateTo(url, THIS);

    expect(before).toHaveLength(REQUESTED_BY_2_0.split(' ').length);
    expect(await query(url, called)).toEqual(before);
    for (const call of CALLS_OF_2_0) await expect(query(url, call)).rejects.toMatchObject(IS_GONE);
    // It also starts anew: no function that it knows is missing.
    const installed = await query<{ name: string }>(url, 'select name from installed_functions');
    const names = Object.keys(V2_0.functions ?? {})
      .filter((path) => !path.startsWith('platform/cluster/'))
      .map((path) => path.slice(path.lastIndexOf('/') + 1, -'.sql'.length));
    expect(installed.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it('can be put back: its own migrate brings its functions back', async () => {
    const url = await databaseOf(V2_0, THIS, V2_0);
    await expect(query(url, CALLS_OF_2_0[3] ?? '')).resolves.toEqual([{ delete_sensor_profile: 'changed' }]);
  });

  it('is told so until the version after the next, which drops what is gone', async () => {
    const url = await databaseOf(THIS, NEXT);
    await expect(query(url, 'select * from background_ages()')).rejects.toMatchObject(IS_GONE);
    await migrateTo(url, AFTER_NEXT);
    await expect(query(url, 'select * from background_ages()')).rejects.toMatchObject({ code: '42883' });
    expect(await schemaOf(url)).toEqual(await schemaOf(await databaseOf(AFTER_NEXT)));
  });

  it('answers 503 while it waits, and where its function is gone, and everything else as before', async () => {
    const service = await startService();
    const { database, api, sql } = service;
    await insertCustomer(sql, { id: 'c' });
    await insertTank(sql, 'c', { id: 't' });
    const writer = service.agent(await service.createKey({ scopes: ['telemetry:write', 'tanks:write'] }));
    const reading = { tank_id: 't', created_at: '2026-01-01T00:00:00Z', fill_percentage: 1 };
    const { 'telemetry/ingest/sql/write_readings.sql': _, ...functions } = NEXT.functions ?? {};
    await writer
      .post('/v1/telemetry')
      .send({ readings: [reading] })
      .expect(200);

    const during = { migrate: true, statuses: new Set<number>() };
    const caller = (async () => {
      while (during.migrate) {
        during.statuses.add((await writer.post('/v1/telemetry').send({ readings: [reading] })).status);
        during.statuses.add((await api.get('/v1/tanks/t')).status);
      }
    })();
    await migrateTo(database.url, { ...NEXT, functions });
    during.migrate = false;
    await caller;

    expect([...during.statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const { body, headers } = await writer
      .post('/v1/telemetry')
      .send({ readings: [reading] })
      .expect(503);
    expect(body).toMatchObject({ code: 'database_unavailable' });
    expect(headers).toHaveProperty('retry-after');
    await writer.patch('/v1/tanks/t').type('application/merge-patch+json').send({ name: 'n' }).expect(200);
    await api.get('/v1/tanks/t').expect(200);
    await api.get('/health/ready').expect(200);
  });
});

/** Of one endpoint. `record`: they were delivered. */
interface Worker {
  claim(): Promise<ClaimedEvent[]>;
  record(claimed: readonly ClaimedEvent[]): Promise<unknown>;
}
type ClaimedEvent = Pick<ClaimedDelivery, 'id' | 'eventId'>;

function workerOf2_0(sql: Pool): Worker {
  const claim = `select delivery_id::float8 as id, id as "eventId"
                 from claim_deliveries('2.0', '{endpoint}', '{0}', '{32}', 128, 32, 4, '40 seconds')`;
  const record = `select from record_deliveries('2.0', $1, array_fill(true, $2), array_fill(204, $2),
                                                array_fill(null::text, $2), array_fill(null::interval, $2))`;
  return {
    claim: async () => (await sql.query<ClaimedEvent>(claim)).rows,
    record: (claimed) => sql.query(record, [claimed.map(({ id }) => id), [claimed.length]]),
  };
}

function workerOfThis(sql: Pool): Worker {
  const deliveries = new Deliveries(sql, new SecretBox([]), 'this');
  const places = [{ endpointId: 'endpoint', places: 32 }];
  const underWay = new Map<number, ClaimedDelivery>();
  const outcome = { delivered: true, status: 204, reason: null, retryAfterMs: 0 };
  return {
    claim: async () => {
      await deliveries.findDue(places);
      const { claimed } = await deliveries.claim(places);
      for (const delivery of claimed) underWay.set(delivery.id, delivery);
      return claimed;
    },
    record: (claimed) =>
      deliveries.record(
        claimed.flatMap(({ id }) => underWay.get(id) ?? []).map((one) => answeredWith(one, outcome)),
      ),
  };
}

/** Of each of two tanks. */
async function claimNext(worker: Worker): Promise<ClaimedEvent[]> {
  const claimed: ClaimedEvent[] = [];
  while (claimed.length < 2) claimed.push(...(await worker.claim()));
  return claimed;
}

describe('an event for a webhook', () => {
  it('is delivered once and in its order by 2.0, this version, 2.0 put back and this version again', async () => {
    const url = await databaseOf(V2_0);
    const sql = openPool(url, { max: 2 });
    await sql.query(
      `insert into webhook_endpoints (id, url, secret) values ('endpoint', 'https://example.com/', '')`,
    );
    const delivered: string[] = [];
    const deliver = async (worker: Worker): Promise<void> => {
      const claimed = await claimNext(worker);
      await worker.record(claimed);
      delivered.push(...claimed.map(({ eventId }) => eventId));
    };

    for (const [round, version] of [V2_0, THIS, V2_0, THIS].entries()) {
      await migrateTo(url, version);
      await sql.query(
        `insert into events (id, type, created_at, tank_id, owner_id, data)
         select tank || $1::integer || n, 'tank.low', now(), tank, 'customer', '{}'
         from unnest('{a,b}'::text[]) tank cross join generate_series(1, 3) n order by n`,
        [round],
      );
      const worker = version === THIS ? workerOfThis(sql) : workerOf2_0(sql);
      if (version === THIS) await sql.query('update webhook_lines set due_at = now()'); // claims of before are over
      await deliver(worker);
      await claimNext(worker); // and dies
    }
    await sql.query('update webhook_lines set due_at = now()');
    const last = workerOfThis(sql);
    while (delivered.length < 4 * 2 * 3) await deliver(last);

    expect(await last.claim()).toEqual([]);
    for (const tank of ['a', 'b']) {
      const all = [0, 1, 2, 3].flatMap((round) => [1, 2, 3].map((n) => `${tank}${round}${n}`));
      expect(delivered.filter((id) => id.startsWith(tank))).toEqual(all);
    }
    await sql.end();
  });
});

/** Of docs/least-privilege.sql of 2.0: what tanks_api, tanks_ingest and tanks_manage were granted. */
const REQUESTED_BY_2_0 =
  'customers_rank customers_locate tanks_rank tanks_locate telemetry_rank telemetry_locate telemetry_page telemetry_page_of ' +
  'telemetry_series telemetry_series_of series_of_readings readings_of telemetry_is_partitioned falls_of_tank caseless ' +
  'events_rank events_locate changed_readings background_ages device_key write_readings write_uplinks discard_uplink ' +
  'write_customer write_tank write_sensor_profile delete_sensor_profile write_tank_sensor';

describe('what an operator granted', () => {
  it('stays, whether a function changes its parameters or is gone', async () => {
    const url = await databaseOf(THIS);
    const [role, other] = ['granted', 'other'].map((name) => `"${name} ${new URL(url).pathname.slice(1)}"`);
    await execute(url, `create role ${role}; create role ${other}`);
    await execute(
      url,
      `grant execute on function discard_uplink, background_ages to ${role} with grant option`,
    );

    await migrateTo(url, NEXT);

    const may = (who: string) =>
      query(
        url,
        `select has_function_privilege('${who}', 'discard_uplink(text, text, text)', 'execute with grant option') as discard,
                has_function_privilege('${who}', 'background_ages()', 'execute with grant option') as ages`,
      );
    expect(await may(role?.slice(1, -1) ?? '')).toEqual([{ discard: true, ages: true }]);
    expect(await may(other?.slice(1, -1) ?? '')).toEqual([{ discard: false, ages: false }]);
    await execute(url, `drop owned by ${role}; drop role ${role}, ${other}`);
  });
});

describe('what is released', () => {
  it('is never edited: the migrations up to 2.0.0, and the functions that they make', () => {
    const folder = new URL('../../src/platform/schema/', import.meta.url);
    const files = readdirSync(new URL('migrations/', folder)).filter((name) =>
      /^176722560000[0-8]-/.test(name),
    );
    const texts = [...files.map((name) => `migrations/${name}`).toSorted(), 'functions.ts'].map((path) =>
      readFileSync(new URL(path, folder)),
    );

    expect(files).toHaveLength(9);
    expect(createHash('sha256').update(Buffer.concat(texts)).digest('hex')).toBe(
      'd9f86983df55507939e85889a49033e8668143b1a3246afa671643f216ce1107',
    );
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
      /it lacks Changes1767225600008, but has CorrectedProfiles1767225600010, DeliveryLines1767225600015, EverySensor1767225600017, Feed1767225600008, /,
    ],
    [
      'with tables of a migration that has another name now',
      `delete from migrations where timestamp >= 1767225600008`,
      /no release ends with Sensors1767225600007\. /,
    ],
    [
      'that lacks a migration in between',
      `delete from migrations where name = 'Changes1767225600008'`,
      /it lacks Changes1767225600008, but has CorrectedProfiles1767225600010, /,
    ],
    [
      'with tables that its last migrations have not made',
      `delete from migrations where timestamp >= 1767225600009`,
      /relation "quarantined_uplinks_of_customer" already exists\. /,
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
