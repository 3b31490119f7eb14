// What is kept of each tank equals what its readings tell, after any writes in any order, from several connections at once; and `counts`
// finds and corrects what was written past the triggers.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { fc } from '../support/cases.js';
import { silentAfterSeconds } from '../../src/rules.js';
import { rebuildCounts, verifyCounts } from '../../src/operator/counts/counts.js';
import { runCli } from '../support/cli.js';
import { openDatabase } from '../support/operator.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

const WRITERS = 4;
const TANKS = 6;
const RIGHT = { total: 0, first: [] };

const { url, sql, operator: dataSource } = await openDatabase({ max: WRITERS + 2 });

beforeEach(async () => {
  await sql.query('truncate customers cascade');
  await sql.query(`insert into customers (id, email, name) values ('owner', 'e', 'n'), ('other', 'e', 'n')`);
  await sql.query(`
    insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
    select 'tank-' || n, 'owner', 'n', 'd', 1, 'liters', 20 from generate_series(1, ${TANKS}) n`);
});

const NOW = Date.UTC(2026, 5, 1);
/** Few instants, so that writes meet; gaps from a millisecond to more than the seven days that count at most. */
const instant = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom(1, 999, 1_234_567, 3_600_000, 86_400_000))
  .map(([n, step]) => NOW - n * step);

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

  it('and after folding', async () => {
    await sql.query(`insert into telemetry select key, now(), 5 from tanks where id in ('tank-1', 'tank-2')`);
    await sql.query('select fold_fleet_counts()');
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
    const { code, stdout, stderr } = await runCli(url, 'counts', 'verify');
    expect(code).toBe(1);
    const [at, after] = ['at 2026-01-20T10:00:00.000Z', 'silent after 86400 s'];
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['list', 'level', 'start', 'counted', 'actual'],
      ['fleet group 0', '-', '-', '1', '2'],
      ['fleet group 3', '-', '-', '5', '4'],
      ['state of nobody', '-', '-', `no reading, ${after}, of an outdated tank`, 'none'],
      ['state of tank-1', '-', '-', `50 % ${at}, ${after}, silent`, `10 % ${at}, low, ${after}`],
      ['state of tank-2', '-', '-', 'none', `50 % ${at}, ${after}`],
      [
        'state of tank-3',
        '-',
        '-',
        `50 % ${at}, ${after}, of an outdated tank, silent`,
        `50 % ${at}, ${after}`,
      ],
      ['state of tank-6', '-', '-', `no reading, ${after}, silent`, `no reading, ${after}`],
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
    const corrected = `select from tank_states where tank_id = 'tank-1' and fill_percentage = 10 and low`;
    expect((await sql.query(corrected)).rowCount).toBe(1);
  });
});
