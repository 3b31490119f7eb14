// Old readings go, by command and by setting: whole months, exactly those, and everything that is told of the others is as if they
// had never been there.
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/platform/config/config.js';
import { verifyCounts } from '../../src/operator/counts/counts.js';
import { workerPoolOptions } from '../../src/platform/database/data-source.js';
import { firstMonthKept, removeOldReadings } from '../../src/telemetry/storage/old-readings.js';
import { openPool } from '../../src/platform/database/pool.js';
import { startService } from '../support/app.js';
import { insertFleetOf, insertReadings } from '../support/builders.js';
import { runCli, startCli } from '../support/cli.js';
import { post } from '../support/ingest.js';
import { placeChanges, type ChangesPage } from '../support/replica.js';
import { hold } from '../faults/support/own-postgres.js';
import { until } from '../faults/support/until.js';

const service = await startService();
const { sql, api, database, operator } = service;
const pool = openPool(workerPoolOptions(database.url, loadConfig({ DATABASE_URL: database.url })));
afterAll(() => pool.end());

const RIGHT = { total: 0, first: [] };
const MONTHS = 6;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The first instant of a month, counted back from this one. */
function monthsAgo(months: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months);
}
const KEPT_FROM = monthsAgo(MONTHS);
const BEFORE_ALL_MONTHS = Date.UTC(1999, 5, 15); // no partition is made for such a time

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const fill = (tank: string, ...moments: number[]) =>
  insertReadings(
    sql,
    tank,
    moments.map((at, i) => ({ created_at: iso(at), fill_percentage: 90 - (i % 60) })),
  );
const every = (stepMs: number, from: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + i * stepMs);

async function momentsOf(tank: string): Promise<string[]> {
  const { rows } = await sql.query<{ created_at: Date }>(
    'select reading.created_at from telemetry reading join tanks on key = tank_key where id = $1 order by 1',
    [tank],
  );
  return rows.map(({ created_at }) => created_at.toISOString());
}
async function countOld(): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    'select count(*)::int as n from telemetry where created_at < $1',
    [iso(KEPT_FROM)],
  );
  return rows[0]?.n ?? NaN;
}
const remove = async () => removeOldReadings(pool, await firstMonthKept(pool, MONTHS));
const retention = (...args: string[]) => runCli(database.url, 'retention', ...args);

beforeEach(async () => {
  await sql.query('delete from events');
  await insertFleetOf(sql, { ours: ['a', 'b', 'c', 'never'] });
});

describe('retention', () => {
  it('keeps the current month and as many before it, to the millisecond, and says what went', async () => {
    const old = [monthsAgo(30), monthsAgo(7) + 3 * DAY, KEPT_FROM - 1];
    await fill('a', ...old, KEPT_FROM, KEPT_FROM + 1, monthsAgo(0));
    await fill('b', KEPT_FROM - DAY);

    const said = `\n4 readings from before ${iso(KEPT_FROM).slice(0, 10)} were removed.\n`;
    const { code, stdout, stderr } = await retention('--months', String(MONTHS), '--yes');
    expect([code, stdout, stderr.endsWith(said)]).toEqual([0, '', true]);
    expect(await momentsOf('a')).toEqual([KEPT_FROM, KEPT_FROM + 1, monthsAgo(0)].map(iso));
    expect(await momentsOf('b')).toEqual([]);
    expect(await verifyCounts(operator)).toEqual(RIGHT);
    expect(await retention('--months', String(MONTHS))).toMatchObject({
      code: 0,
      stderr: `Nothing is older than ${iso(KEPT_FROM).slice(0, 10)}.\n`,
    });
  });

  it('tells with --dry-run what would go, from the counts, and removes nothing', async () => {
    await fill('a', ...every(HOUR, monthsAgo(8), 5), KEPT_FROM - 1, monthsAgo(1));
    await fill('b', monthsAgo(8) + DAY);

    const { code, stdout, stderr } = await retention('--months', String(MONTHS), '--dry-run');
    const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/).slice(0, 3));
    expect(code).toBe(0);
    expect(lines).toEqual([
      ['month', 'readings', 'tanks'],
      [iso(monthsAgo(8)).slice(0, 7), '6', '2'],
      [iso(monthsAgo(7)).slice(0, 7), '1', '1'],
      [''],
    ]);
    expect(stderr).toBe(
      `Older than ${iso(KEPT_FROM).slice(0, 10)}: 7 readings of 2 tanks, 1 of which would have none left.\n`,
    );
    expect(await countOld()).toBe(7);
  });

  it.each([
    [['--months=0'], 'Give a whole number of months from 1 to 1200.'],
    [['--months=1201'], 'Give a whole number of months from 1 to 1200.'],
    [['--months=all'], 'Give a whole number of months from 1 to 1200.'],
    [[], '--months'],
  ])('refuses %j, and does not guess how many months', async (args, reason) => {
    expect(await retention(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  });
});

describe('after it', () => {
  it('nothing has rung: neither for a tank that now counts as silent nor for one without readings', async () => {
    // Three days ago is not silence for a tank that reports every two months, and is for one of which less is known.
    await fill('a', ...[10, 8, 6, 4].map((n) => monthsAgo(MONTHS + n)), Date.now() - 3 * DAY);
    await fill('b', ...every(DAY, monthsAgo(MONTHS + 2), 20));
    await sql.query(`insert into tank_alerts select key, true, true from tanks where id = 'b'`);
    await sql.query('select mark_silent_tanks(1000)');
    await sql.query('delete from events');
    expect((await api.get('/v1/fleet/tanks/a').expect(200)).body).toMatchObject({ silent: false });
    await remove();

    expect((await api.get('/v1/fleet/tanks/a').expect(200)).body).toMatchObject({
      silent: true,
      silent_after_seconds: 86_400,
    });
    await sql.query('select mark_silent_tanks(1000)');
    expect((await api.get('/v1/events').expect(200)).body.data).toEqual([]);
    expect((await sql.query('select low, silence_reported from tank_alerts')).rows).toEqual([
      { low: true, silence_reported: true },
    ]);
    expect(await verifyCounts(operator)).toEqual(RIGHT);
  });

  it('whoever follows the changes gets one of a tank, not one of a reading', async () => {
    await fill('a', ...every(HOUR, monthsAgo(MONTHS + 2), 20));
    await fill('b', ...every(HOUR, monthsAgo(MONTHS + 2), 5), ...every(HOUR, monthsAgo(0), 12));
    await placeChanges(sql);
    const { next } = (await api.get('/v1/changes?after=latest').expect(200)).body as ChangesPage;
    await remove();
    await placeChanges(sql);

    const { data } = (await api.get(`/v1/changes?after=${next}`).expect(200)).body as ChangesPage;
    expect(data.map(({ type, id, data: { readings } }) => ({ type, id, readings }))).toEqual([
      { type: 'telemetry', id: 'a', readings: [] },
      { type: 'telemetry', id: 'b', readings: [] },
    ]);
    const first = iso(monthsAgo(MONTHS + 2));
    for (const { data: range } of data) {
      expect(String(range['created_at_gte']) <= first).toBe(true);
      expect(String(range['created_at_lte']) < iso(KEPT_FROM)).toBe(true);
    }
  });

  it('all is exact while readings old and new come in and change, and nobody is refused', async () => {
    const sender = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));
    // Old ones are hardly ever sent twice; of the new ones there are few, so that they meet and change.
    const times = [
      () => BEFORE_ALL_MONTHS + Math.floor(Math.random() * 10 * DAY),
      () => monthsAgo(MONTHS + 2) + Math.floor(Math.random() * 100 * DAY),
      () => monthsAgo(0) - Math.floor(Math.random() * 10) * DAY,
    ];
    const someReadings = () =>
      Array.from({ length: 30 }, (_, i) => ({
        tank_id: 'abc'[Math.floor(Math.random() * 3)],
        created_at: iso(times[i % 3]?.() ?? 0),
        fill_percentage: Math.floor(Math.random() * 100),
      }));
    const sent = new AbortController();
    const send = async () => {
      for (let i = 0; i < 25; i += 1) await post(sender, { readings: someReadings() }).expect(200);
    };
    const removeAgainAndAgain = async () => {
      while (!sent.signal.aborted) await removeOldReadings(pool, iso(KEPT_FROM).slice(0, 10), { tries: 30 });
    };
    const removing = Promise.all([removeAgainAndAgain(), removeAgainAndAgain()]);
    await Promise.all([send(), send(), send()]);
    sent.abort();
    await removing;

    expect(await verifyCounts(operator)).toEqual(RIGHT);
    await remove();
    expect(await countOld()).toBe(0);
    expect(await verifyCounts(operator)).toEqual(RIGHT);
  });

  it('a kill -9 in the middle has left everything exact, and another run does the rest', async () => {
    await fill('a', ...every(60_000, BEFORE_ALL_MONTHS, 6_000));
    await fill('b', BEFORE_ALL_MONTHS);
    const release = await hold(
      database.url,
      `select from telemetry_counts join tanks on key = tank_key where id = 'b' and level = 0 for update`,
    );
    const { child, result } = startCli(database.url, 'retention', '--months', String(MONTHS), '--yes');
    await until('the first batch is gone', async () => (await countOld()) === 1_001);
    child.kill('SIGKILL');
    await result;
    await release();

    const active = `select from pg_stat_activity where application_name = 'tank-monitoring-cli' and state = 'active'
                    and datname = current_database() and query like '%forget_readings%'`;
    await until('the killed one has let go', async () => (await sql.query(active)).rowCount === 0);
    expect(await verifyCounts(operator)).toEqual(RIGHT);
    expect(await retention('--months', String(MONTHS), '--yes')).toMatchObject({ code: 0 });
    expect(await countOld()).toBe(0);
    expect(await verifyCounts(operator)).toEqual(RIGHT);
  });
});

it('with TELEMETRY_RETENTION_MONTHS the background work of any number of services does it', async () => {
  await fill('a', ...every(DAY, monthsAgo(MONTHS + 3), 200));
  await fill('b', ...every(HOUR, BEFORE_ALL_MONTHS, 20));
  const environment = { WORKER: 'true', TELEMETRY_RETENTION_MONTHS: String(MONTHS) };
  const services = await Promise.all([1, 2].map(() => startService({ environment, database })));

  await until('old readings are gone', async () => (await countOld()) === 0);
  await Promise.all(services.map((background) => background.stop()));
  expect((await momentsOf('a'))[0]).toBe(iso(KEPT_FROM));
  expect(await verifyCounts(operator)).toEqual(RIGHT);
});
