// What the database itself guarantees, whoever writes to it: updated_at, the allowed ranges, references, that
// migrations run once, and that the API cannot write.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { migrations } from '../../src/platform/schema/migrations/index.js';
import { clear, insertCustomer, insertReadings, insertTank } from '../support/builders.js';
import { createBareDatabase } from '../support/database.js';
import { openDatabase } from '../support/operator.js';

const { sql } = await openDatabase({ max: 2 });

const LONG_AGO = '2020-01-01T00:00:00.000Z';

beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'customer', created_at: LONG_AGO });
  await insertTank(sql, 'customer', { id: 'tank', created_at: LONG_AGO });
});

async function rowOf(table: string, id: string): Promise<Record<string, unknown>> {
  const { rows } = await sql.query<Record<string, unknown>>(`select * from ${table} where id = $1`, [id]);
  return rows[0] ?? {};
}

describe.each([
  ['customers', 'customer', "name = 'Another name'", 'phone = null'],
  ['customers', 'customer', 'deleted = true', 'is_verified = is_verified'],
  ['tanks', 'tank', "city = 'Rotterdam'", 'city = null'],
  ['tanks', 'tank', 'deleted = true', 'capacity = capacity'],
])('updated_at of %s/%s', (table, id, change, noChange) => {
  const update = (assignments: string) => sql.query(`update ${table} set ${assignments} where id = $1`, [id]);
  const updatedAt = async () => (await rowOf(table, id))['updated_at'] as Date;

  it(`stays when nothing changes (${noChange}), and moves with a real change: ${change}`, async () => {
    await update(noChange);
    expect(await updatedAt()).toEqual(new Date(LONG_AGO));

    const { rows } = await sql.query<{ now: Date }>('select now()::timestamptz(3)');
    await update(change);
    expect((await updatedAt()).getTime()).toBeGreaterThanOrEqual((rows[0]?.now.getTime() ?? NaN) - 1);
  });

  it(`is what the writer says: ${change}`, async () => {
    await update(`${change}, updated_at = '2024-05-06T07:08:09.123Z'`);

    expect(await updatedAt()).toEqual(new Date('2024-05-06T07:08:09.123Z'));
  });
});

describe('a time', () => {
  it('has no more than milliseconds in any column', async () => {
    const { rows } = await sql.query(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type like 'timestamp%'
         and (datetime_precision <> 3 or data_type <> 'timestamp with time zone')`,
    );
    expect(rows).toEqual([]);
  });
});

describe('the database refuses', () => {
  it.each([
    ['customers', 'verified_at = now(), is_verified = false', 'customers_verified_at_needs_is_verified'],
    ['customers', "email = ''", 'customers_email_check'],
    ['customers', 'email = null', 'email'],
    ['customers', 'name = null', 'name'],
    ['customers', "id = repeat('x', 256)", 'customers_id_check'],
    ['customers', "created_at = '10000-01-01Z'", 'customers_times_are_writable'],
    ['customers', "last_seen_at = '0044-03-15 BC'", 'customers_times_are_writable'],
    ['tanks', 'min_fill_alert_percentage = 101', 'tanks_min_fill_alert_percentage_check'],
    ['tanks', 'capacity = 0', 'tanks_capacity_check'],
    ['tanks', "capacity = 'infinity'", 'tanks_capacity_check'],
    ['tanks', 'capacity = null', 'capacity'],
    ['tanks', "capacity_unit = 'barrels'", 'tanks_capacity_unit_check'],
    ['tanks', "use_case = 'private'", 'tanks_use_case_check'],
    ['tanks', 'latitude = -90.0001', 'tanks_latitude_check'],
    ['tanks', 'longitude = 180.0001', 'tanks_longitude_check'],
    ['tanks', "owner_id = 'nobody'", 'tanks_owner_id_fkey'],
    ['tanks', 'owner_id = null', 'owner_id'],
    ['tanks', "created_at = 'infinity'", 'tanks_times_are_writable'],
  ])('%s with %s', async (table, assignments, reason) => {
    await expect(sql.query(`update ${table} set ${assignments}`)).rejects.toThrow(reason);
  });

  it.each([-0.001, 100.001, Infinity, NaN])('a reading of %p per cent', async (fill) => {
    const insert = `insert into telemetry select key, now(), $1::float8 from tanks`;

    await expect(sql.query(insert, [fill])).rejects.toThrow('telemetry_fill_percentage_check');
  });

  it('a reading of no tank', async () => {
    await expect(sql.query('insert into telemetry values (-1, now(), 50)')).rejects.toThrow(
      'telemetry_counts',
    );
  });

  it('to lose a customer who has tanks, or a tank that has readings', async () => {
    await insertReadings(sql, 'tank', [{ created_at: LONG_AGO, fill_percentage: 1 }]);

    await expect(sql.query('delete from customers')).rejects.toThrow('tanks_owner_id_fkey');
    await expect(sql.query('delete from tanks')).rejects.toThrow('telemetry_counts');
  });
});

it('the migrations run once, however many run them at once', async () => {
  const own = await createBareDatabase();
  const machines = await Promise.all([1, 2, 3].map(() => openDataSource(operatorOptions(own.url))));

  const ran = await Promise.all(machines.map((machine) => migrate(machine)));

  expect(ran.flatMap((one) => one.migrations)).toEqual(migrations.map(({ name }) => name));
  await Promise.all(machines.map((machine) => machine.destroy()));
  await own.drop();
});

/** Triggers ask for these: for keep_states_last(), what an upsert has updated, and whether a coordinator's own copy is truncated. */
const SETTINGS = [
  'tank_monitoring.states',
  'tank_monitoring.upserted_tanks',
  'tank_monitoring.upserted_telemetry',
  'citus.enable_ddl_propagation',
];

const READING_NOW = `'{1}', '{good}', '{null}', '{tank}', '{null}', '{1}', array[now()], '{1}', 1000`;

/** What is left of the call for the feed, the events and the tank's state. */
async function seenAfter(caller: ClientBase, call: string): Promise<unknown> {
  await sql.query('delete from telemetry');
  await insertReadings(sql, 'tank', [{ created_at: LONG_AGO, fill_percentage: 50 }]);
  await sql.query('delete from change_notes; delete from tanks_to_judge');
  await caller.query(`select ${call}`);
  const { rows } = await sql.query(
    `select array(select distinct kind from change_notes order by kind) as notes,
            (select count(*)::integer from tanks_to_judge) as to_judge,
            fill_percentage as fill, min_fill_alert_percentage as threshold from tank_states`,
  );
  return rows[0];
}

describe("a function that writes with its owner's rights", () => {
  const calls: [call: string, seen: object][] = [
    [`write_readings(${READING_NOW})`, { notes: ['r'], to_judge: 1, fill: 1, threshold: 20 }],
    [`write_uplinks(${READING_NOW}, '[]')`, { notes: ['r'], to_judge: 1, fill: 1, threshold: 20 }],
    [`forget_readings('2021-01-01', 0, 10)`, { notes: ['r'], to_judge: 0, fill: null, threshold: 20 }],
    [
      `remove_readings('tank', null, '2019-01-01', '2021-01-01', 10, '{"actor":"key"}')`,
      { notes: ['r'], to_judge: 0, fill: null, threshold: 20 },
    ],
  ];

  it.each(['by_caller', 'off', '{}'])(
    'hides nothing for a caller who sets %s wherever triggers look',
    async (value) => {
      const caller = await sql.connect();
      try {
        for (const setting of SETTINGS)
          await caller.query('select set_config($1, $2, false)', [setting, value]);
        for (const [call, seen] of calls) expect([call, await seenAfter(caller, call)]).toEqual([call, seen]);
      } finally {
        caller.release(true);
      }
    },
  );
});

describe('a trigger', () => {
  it('is steered by no setting but the one of keep_states_last()', async () => {
    const { rows } = await sql.query<{ name: string; source: string }>(
      `select proname as name, prosrc as source from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    );
    const using = (pattern: RegExp) =>
      rows.filter(({ source }) => pattern.test(source)).map(({ name }) => name);
    const settings = rows.flatMap(
      ({ source }) => source.match(/(?<!hashtext\(|hashtextextended\()'tank_monitoring\.\w+/g) ?? [],
    );

    expect(new Set(settings)).toEqual(
      new Set([`'tank_monitoring.causes`, `'tank_monitoring.states`, `'tank_monitoring.upserted_`]),
    );
    expect(using(/'tank_monitoring\.causes/)).toEqual(['write_readings']); // which is no trigger's
    expect(using(/set_config\('tank_monitoring\.states'/)).toEqual(['keep_states_last']);
    expect(using(/'tank_monitoring\.upserted_/)).toEqual(['expect_insert', 'take_upserted']);
  });

  it('never moves updated_at back', async () => {
    const future = '2999-01-01T00:00:00.000Z';
    await sql.query(`update customers set updated_at = $1`, [future]);
    await sql.query(`update customers set name = 'another'`);
    const { rows } = await sql.query<{ updated_at: Date }>('select distinct updated_at from customers');
    expect(rows).toEqual([{ updated_at: new Date(future) }]);
  });
});

it('the list of tables in docs/schema.md shows every table, and no other', async () => {
  const { rows } = await sql.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations'",
  );
  const page = await readFile(new URL('../../docs/schema.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## Tables$(.*?)^## /ms.exec(page) ?? [];
  const listed = [...section.matchAll(/^\| `(\w+)` /gm)].map(([, table = '']) => table);

  expect(listed.toSorted()).toEqual(rows.map(({ tablename }) => tablename).toSorted());
});
