// What is kept of each tank equals what its readings tell: against a plain model, after any writes in any order, from several
// connections at once; and `counts` finds and corrects what was written past the triggers.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { silentAfterSeconds } from '../../src/rules.js';
import { rebuildCounts, verifyCounts } from '../../src/operator/counts/counts.js';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { runCli } from '../support/cli.js';
import { createTestDatabase, openPool, type TestDatabase } from '../support/database.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

const WRITERS = 4;
const TANKS = 6;
const RIGHT = { total: 0, first: [] };

let database: TestDatabase;
let dataSource: DataSource;
let sql: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await openDataSource(operatorOptions(database.url));
  sql = openPool(database.url, { max: WRITERS + 2, options: '-c TimeZone=UTC' });
});

afterAll(async () => {
  await dataSource.destroy();
  await sql.end();
  await database.drop();
});

beforeEach(async () => {
  await sql.query('truncate customers cascade');
  await sql.query(`insert into customers (id, email, name) values ('owner', 'e', 'n'), ('other', 'e', 'n')`);
  await sql.query(`
    insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
    select 'tank-' || n, 'owner', 'n', 'd', 1, 'liters', 20 from generate_series(1, ${TANKS}) n`);
});

interface Reading {
  readonly at: number;
  readonly fill: number;
}

/** The definition, written down once more: three times the median gap of the newest ten readings. */
function silentAfter(readings: readonly Reading[]): number {
  const newest = readings.toSorted((a, b) => b.at - a.at).slice(0, 10);
  if (newest.length < 3) return 86_400;
  const gaps = newest.slice(1).map(({ at }, i) => (newest[i]?.at ?? 0) - at);
  const sorted = gaps.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return Math.min(Math.max(Math.round((3 * median) / 1000), 3_600), 604_800);
}

const NOW = Date.UTC(2026, 5, 1);
/** Few instants, so that writes meet; gaps from a millisecond to more than the seven days that count at most. */
const instant = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom(1, 999, 1_234_567, 3_600_000, 86_400_000))
  .map(([n, step]) => NOW - n * step);
const fill = fc.constantFrom(0, 19.9, 20, 20.1, 55.55, 100);
const write = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('put' as const), at: instant, fill }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: instant }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('threshold' as const), to: fc.constantFrom(0, 20, 100) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleted' as const), to: fc.boolean() }) },
);

it(
  'the state of a tank is what its readings tell, after every write of any history',
  async () => {
    const property = fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 25 }), async (writes) => {
      await sql.query(
        'delete from telemetry; update tanks set min_fill_alert_percentage = 20, deleted = false',
      );
      const readings = new Map<number, number>();
      let threshold = 20;
      for (const step of writes) {
        if (step.kind === 'put') {
          readings.set(step.at, step.fill);
          await sql.query(
            `insert into telemetry select key, $1, $2 from tanks where id = 'tank-1'
             on conflict (tank_key, created_at) do update set fill_percentage = excluded.fill_percentage`,
            [new Date(step.at), step.fill],
          );
        } else if (step.kind === 'remove') {
          readings.delete(step.at);
          await sql.query('delete from telemetry where created_at = $1', [new Date(step.at)]);
        } else if (step.kind === 'threshold') {
          threshold = step.to;
          await sql.query(`update tanks set min_fill_alert_percentage = $1 where id = 'tank-1'`, [step.to]);
        } else {
          await sql.query(`update tanks set deleted = $1 where id = 'tank-1'`, [step.to]);
        }
        expect(await stateOf('tank-1')).toEqual(expectedState(readings, threshold));
      }
      expect(await verifyCounts(dataSource)).toEqual(RIGHT);
    });
    expect(await holds(property, 40)).toBe(true);
  },
  PROPERTY_TIMEOUT_MS,
);

it('the silence of a tank is the same to SQL and to the rules', async () => {
  const instants = fc.uniqueArray(instant, { maxLength: 14 });
  const property = fc.asyncProperty(instants, async (moments) => {
    const newestFirst = moments.toSorted((a, b) => b - a);
    const { rows } = await sql.query<{ seconds: number }>('select seconds from silent_after($1)', [
      newestFirst.slice(0, 10).map((at) => new Date(at)),
    ]);
    expect(rows).toEqual([{ seconds: silentAfterSeconds(newestFirst.map((at) => ({ at, fill: 0 }))) }]);
  });
  expect(await holds(property, 200)).toBe(true);
});

function expectedState(readings: ReadonlyMap<number, number>, threshold: number): object {
  const all = [...readings].map(([at, level]) => ({ at, fill: level }));
  const newest = all.toSorted((a, b) => b.at - a.at)[0];
  const seconds = silentAfter(all);
  return {
    reported_at: newest === undefined ? null : new Date(newest.at),
    fill_percentage: newest?.fill ?? null,
    low: newest !== undefined && newest.fill <= threshold,
    silent_after_seconds: seconds,
    silent_at: newest === undefined ? null : new Date(newest.at + seconds * 1000),
  };
}

async function stateOf(tankId: string): Promise<unknown> {
  const { rows } = await sql.query<object>(
    `select reported_at, fill_percentage, low, silent_after_seconds, silent_at from tank_states where tank_id = $1`,
    [tankId],
  );
  return rows[0];
}

/** Writes of one writer to tanks that all writers share; times by which several readings move in and out of the newest ten. */
function sharedWrites(writer: number): Record<string, string> {
  const someTime = `now() - floor(random() * 40) * interval '7 minutes' - ${writer} * interval '1 second'`;
  const someTanks = `(select key from tanks where id like 'tank-%' order by random() limit 3)`;
  const newReadings = `
    select key, ${someTime} + n * interval '1 millisecond', floor(random() * 100)
    from ${someTanks} tank, generate_series(1, 5) n`;
  const mine = `extract(second from created_at)::int % ${WRITERS} = ${writer}`;
  return {
    insert: `insert into telemetry ${newReadings} on conflict do nothing`,
    upsert: `
      insert into telemetry select distinct on (1, 2) * from (${newReadings}) reading (tank_key, created_at, fill)
      on conflict (tank_key, created_at) do update set fill_percentage = excluded.fill_percentage`,
    // As services write: states are kept once, last, for every tank that was touched.
    'insert by caller': `
      begin;
      select keep_states_last();
      insert into telemetry ${newReadings} order by 1, 2 on conflict do nothing;
      update telemetry set fill_percentage = 7 where ${mine} and random() < 0.05;
      select keep_tank_states(array(select key from tanks));
      commit`,
    change: `update telemetry set fill_percentage = floor(random() * 100) where ${mine} and random() < 0.2`,
    'move times': `update telemetry set created_at = created_at - interval '5 hours' where ${mine} and random() < 0.1`,
    remove: `delete from telemetry where ${mine} and random() < 0.3`,
    'move threshold': `update tanks set min_fill_alert_percentage = floor(random() * 100) where id = 'tank-${writer + 1}'`,
    'delete or restore': `update tanks set deleted = not deleted where id = 'tank-${writer + 1}'`,
    'another owner': `
      update tanks set owner_id = case owner_id when 'owner' then 'other' else 'owner' end,
                       use_case = (array['residential', 'commercial', null])[1 + floor(random() * 3)]
      where id = 'tank-${writer + 1}'`,
    'a tank comes': `
      insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
      values ('w${writer}-' || new_id(), 'owner', 'n', 'd', 1, 'liters', 5)`,
    'tanks go': `delete from tanks where id like 'w${writer}-%'`,
    sweep: 'select mark_silent_tanks(2)',
  };
}

describe('states and fleet counts equal a recount', () => {
  it(
    'after random writes to the same tanks from several connections at once',
    async () => {
      const step = fc.oneof(
        fc.constantFrom(...Object.keys(sharedWrites(0))),
        fc.constantFrom('insert', 'upsert', 'insert by caller', 'change', 'remove'),
      );
      const plan = fc.array(step, { minLength: 15, maxLength: 15 });
      const property = fc.asyncProperty(
        fc.tuple(...Array.from({ length: WRITERS }, () => plan)),
        async (plans) => {
          await Promise.all(plans.map((steps, writer) => writeAll(writer, steps)));
          expect(await verifyCounts(dataSource)).toEqual(RIGHT);
        },
      );
      expect(await holds(property, 12)).toBe(true);
      const { rows } = await sql.query(
        'select count(*)::int as n from tank_states where reported_at is not null',
      );
      expect(rows).not.toEqual([{ n: 0 }]);
    },
    PROPERTY_TIMEOUT_MS,
  );

  it('and folding leaves every sum as it was', async () => {
    const sums = `
      select fleet_group, sum(n)::int as n from (
        select fleet_group, n from fleet_counts union all select fleet_group, n from fleet_count_changes) counts
      group by fleet_group having sum(n) <> 0 order by fleet_group`;
    await sql.query(`insert into telemetry select key, now(), 5 from tanks where id in ('tank-1', 'tank-2')`);
    const before = (await sql.query(sums)).rows;
    await sql.query('select fold_fleet_counts()');
    expect((await sql.query(sums)).rows).toEqual(before);
    expect(await sql.query('select from fleet_count_changes')).toMatchObject({ rowCount: 0 });
    expect(await verifyCounts(dataSource)).toEqual(RIGHT);
  });
});

/** Updates of readings that others also update may deadlock, as any such statements may; PostgreSQL then undoes one. */
async function writeAll(writer: number, steps: readonly string[]): Promise<void> {
  const client = await sql.connect();
  try {
    for (const name of steps) {
      try {
        await client.query(sharedWrites(writer)[name] ?? '');
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === '40P01')) throw error;
        await client.query('rollback');
      }
    }
  } finally {
    client.release();
  }
}

describe('tank-monitoring counts', () => {
  const DAMAGE = `
    insert into telemetry select key, '2026-01-20T10:00:00Z', 50 from tanks where id <> 'tank-6';
    begin;
    set local session_replication_role = replica;
    update telemetry set fill_percentage = 10 from tanks where key = tank_key and tanks.id = 'tank-1';
    delete from tank_states where tank_id = 'tank-2';
    insert into tank_states (tank_key, tank_id, owner_id, created_at, deleted, min_fill_alert_percentage)
    values (-1, 'nobody', 'owner', now(), false, 5);
    update tanks set use_case = 'industrial' where id = 'tank-3';
    update tank_states set silent = true where tank_id = 'tank-6';
    commit`;

  it('verify tells each wrong state and group, and exits 1', async () => {
    await sql.query(DAMAGE);
    const { code, stdout, stderr } = await runCli(database.url, 'counts', 'verify');
    expect(code).toBe(1);
    const at = 'at 2026-01-20T10:00:00.000Z';
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['list', 'level', 'start', 'counted', 'actual'],
      ['fleet group 0', '-', '-', '1', '2'],
      ['fleet group 3', '-', '-', '5', '4'],
      ['state of nobody', '-', '-', 'no reading, silent after 86400 s, of an outdated tank', 'none'],
      [
        'state of tank-1',
        '-',
        '-',
        `50 % ${at}, silent after 86400 s, silent`,
        `10 % ${at}, low, silent after 86400 s`,
      ],
      ['state of tank-2', '-', '-', 'none', `50 % ${at}, silent after 86400 s`],
      [
        'state of tank-3',
        '-',
        '-',
        `50 % ${at}, silent after 86400 s, of an outdated tank, silent`,
        `50 % ${at}, silent after 86400 s`,
      ],
      [
        'state of tank-6',
        '-',
        '-',
        'no reading, silent after 86400 s, silent',
        'no reading, silent after 86400 s',
      ],
      [''],
    ]);
    expect(stderr).toBe('7 counts were wrong; "counts rebuild" corrects them.\n');
  });

  it('rebuild corrects them, and leaves the other states alone', async () => {
    await sql.query(DAMAGE);
    const others = `select ctid, xmin from tank_states where tank_id in ('tank-4', 'tank-5') order by tank_id`;
    const before = (await sql.query(others)).rows;
    expect((await rebuildCounts(dataSource)).total).toBe(7);
    expect(await verifyCounts(dataSource)).toEqual(RIGHT);
    expect((await sql.query(others)).rows).toEqual(before);
    expect(await stateOf('tank-1')).toMatchObject({ fill_percentage: 10, low: true });
  });
});
