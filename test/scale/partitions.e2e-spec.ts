// Readings in monthly partitions: made of a filled table and undone again, kept ahead of time, dropped as whole months. Everything
// that was promised holds on them as it does on one table.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryResultRow } from 'pg';
import { verifyCounts } from '../../src/operator/counts/counts.js';
import { startService } from '../support/app.js';
import { insertFleetOf } from '../support/builders.js';
import { runCli, runCliOn } from '../support/cli.js';
import { contentsOf } from '../support/contents.js';
import { openDatabase } from '../support/operator.js';
import { until } from '../faults/support/until.js';
import { contractFailures } from './support/contract.js';

const RIGHT = { total: 0, first: [] };

const { url, sql, operator } = await openDatabase({ max: 4 });

const rowsOf = async <Row extends QueryResultRow>(statement: string): Promise<Row[]> =>
  (await sql.query<Row>(statement)).rows;
const partition = (...args: string[]) => runCli(url, 'partition', ...args);

/** Ten years of a tank with a reading a day and one of which there are few, and readings no month is made for. */
async function fill(): Promise<void> {
  await sql.query('truncate customers cascade');
  await insertFleetOf(sql, { ours: ['daily', 'rare', 'never'] });
  await sql.query(`
    insert into telemetry
    select key, now() - n * interval '1 day', n % 100 from tanks, generate_series(0, 3650) n where id = 'daily';
    insert into telemetry
    select key, now() - n * n * interval '1 day', n from tanks, generate_series(3, 50) n where id = 'rare';
    insert into telemetry
    select key, timestamptz '1700-01-01Z' + n * interval '1 hour', 1 from tanks, generate_series(1, 5) n where id = 'rare'`);
}

/** What an operator or a migration could notice of the table, but for its being partitioned. */
const DESCRIPTION = `
  select 'column' as kind, attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull
         || coalesce(' ' || pg_get_expr(adbin, adrelid), '') as what
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = 'telemetry'::regclass and attnum > 0
  union all
  select 'constraint', conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where conrelid = 'telemetry'::regclass
  union all
  select 'index', replace(pg_get_indexdef(indexrelid), 'ONLY ', '') from pg_index where indrelid = 'telemetry'::regclass
  union all
  select 'trigger', pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'telemetry'::regclass
  union all
  select 'right', acl.grantee::regrole || ' ' || acl.privilege_type
  from pg_class cross join lateral aclexplode(relacl) acl
  where pg_class.oid = 'telemetry'::regclass
  order by 1, 2`;

const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);
const tableOf = (month: string): string => `telemetry_${month.replace('-', '_')}`;
const inMonths = (months: number): string => {
  const now = new Date();
  return monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)));
};

describe('partition', () => {
  beforeEach(async () => {
    await runCli(url, 'partition', 'off');
    await fill();
  });

  it('on and off move every reading, and change nothing else of the table', async () => {
    const role = `reader_${process.pid}`;
    await sql.query(`create role ${role}; grant select, insert on telemetry to ${role}`);
    const [contents, description] = [await contentsOf(sql), await rowsOf(DESCRIPTION)];
    try {
      const on = await partition('on');
      expect(on).toMatchObject({ code: 0, stdout: '' });
      expect(on.stderr).toContain('Copied 3,704 readings.');
      expect(await rowsOf(DESCRIPTION)).toEqual(description);
      expect(await contentsOf(sql)).toEqual(contents);
      expect(await verifyCounts(operator)).toEqual(RIGHT);
      expect(await rowsOf('select count(*)::int as n from telemetry_other')).toEqual([{ n: 5 }]);

      const off = await partition('off');
      expect(off).toMatchObject({ code: 0, stdout: '' });
      expect(await rowsOf(DESCRIPTION)).toEqual(description);
      expect(await contentsOf(sql)).toEqual(contents);
      expect(await verifyCounts(operator)).toEqual(RIGHT);
      expect(await rowsOf(`select relname from pg_class where relname ~ '^telemetry_[0-9o]'`)).toEqual([]);
    } finally {
      await sql.query(`drop owned by ${role}; drop role ${role}`);
    }
  });

  it('on, repeated, gives a month of its own to what came in without one', async () => {
    await partition('on');
    const line =
      '{"object":"telemetry","tank_id":"daily","created_at":"2003-05-06T07:08:09Z","fill_percentage":1}\n';
    expect(await runCliOn(line, url, 'import', '-')).toMatchObject({ code: 0 });
    const contents = await contentsOf(sql);
    expect((await partition('on')).stderr).toBe('Added 2003-05.\nThe partitions are complete.\n');

    expect(await rowsOf('select count(*)::int as n from telemetry_2003_05')).toEqual([{ n: 1 }]);
    expect(await contentsOf(sql)).toEqual(contents);
    expect(await verifyCounts(operator)).toEqual(RIGHT);
    expect((await partition('on')).stderr).toBe('The readings are partitioned already: nothing to do.\n');
  });

  it('months to come are made by the background work, with what came in for them', async () => {
    await partition('on');
    const next = tableOf(inMonths(1));
    await sql.query(`drop table ${next}`);
    await sql.query(`insert into telemetry select key, $1, 50 from tanks where id = 'never'`, [
      `${inMonths(1)}-15Z`,
    ]);
    const background = await startService({
      environment: { WORKER: 'true' },
      database: { url, drop: () => Promise.resolve() },
    });

    await until('the month is there', async () =>
      (await rowsOf(`select to_regclass('${next}') is not null as is_there`)).every(
        ({ is_there }) => is_there === true,
      ),
    );
    await background.stop();
    expect(await rowsOf(`select count(*)::int as n from ${next}`)).toEqual([{ n: 1 }]);
    expect(await verifyCounts(operator)).toEqual(RIGHT);
  });
});

describe('retention on partitions', () => {
  beforeEach(async () => {
    await partition('off');
    await fill();
    await partition('on');
  });

  it('drops whole months, and what is in the default partition by rows', async () => {
    const { rows } = await sql.query<{ n: number }>(`
      select count(*)::int as n from telemetry
      where created_at < date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '13 months'`);
    const dryRun = await runCli(url, 'retention', '--months', '13', '--dry-run');
    expect(dryRun.stdout).toMatch(/^1700-01 +5 +1 +rows$/m);
    expect(dryRun.stdout).toMatch(new RegExp(`^${inMonths(-14)} +\\d+ +\\d+ +partition$`, 'm'));

    const { code, stderr } = await runCli(url, 'retention', '--months', '13', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain(`${rows[0]?.n} readings from before`);
    expect(await rowsOf('select min(month)::text as first from telemetry_months() month')).toEqual([
      { first: `${inMonths(-13)}-01` },
    ]);
    expect(await verifyCounts(operator)).toEqual(RIGHT);
    expect(await rowsOf('select count(*)::int as n from telemetry_other')).toEqual([{ n: 0 }]);
  });

  it('a state that stood on the month is worked out anew, and nothing rings', async () => {
    await sql.query('delete from events');
    await sql.query(`delete from telemetry where created_at > now() - interval '2 years'`);
    await sql.query('delete from events');
    const last = await rowsOf<{ month: string }>(
      `select date_trunc('month', max(reported_at) at time zone 'UTC')::date::text as month from tank_states`,
    );
    for (const { month } of await rowsOf<{ month: string }>(
      `select month::text as month from telemetry_months() month where month <= '${last[0]?.month}'`,
    )) {
      await sql.query('select drop_telemetry_month($1)', [month]);
      expect(await verifyCounts(operator)).toEqual(RIGHT);
    }
    expect(await rowsOf('select tank_id from tank_states where reported_at is not null')).toEqual([
      { tank_id: 'rare' },
    ]);
    expect(await rowsOf('select type from events')).toEqual([]);
  });
});

it('the contract holds on a partitioned database', async () => {
  expect(await contractFailures({ TEST_PREPARE: 'partitions' })).toEqual([]);
}, 1_800_000);
