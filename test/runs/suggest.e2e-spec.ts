// POST /v1/runs/suggest: who is due, what fits, who is nearby.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import type { Reads } from '../../src/platform/database/reads.js';
import { SuggestionInput } from '../../src/runs/dto/run.input.js';
import { Suggestions } from '../../src/runs/suggest.js';
import { startService } from '../support/app.js';
import { aTank, insertFleetOf, insertTanks, type TankFields } from '../support/builders.js';
import { pointersOf } from '../support/manage.js';

const service = await startService();
const { sql } = service;
const api = service.agent(await service.createKey({ scopes: SCOPES }));

const DATE = '2026-11-24';
const HOUR = 3_600_000;
const hourOf = (date: string) => Date.parse(date) / HOUR;

interface Standing {
  readonly fill: number;
  /** Days, of the forecast's p10. */
  readonly empty?: string;
  readonly alert?: string;
  readonly silent?: true;
}

const hours = (day: string | undefined) => (day === undefined ? null : [hourOf(day), null, null]);

async function standing(
  id: string,
  { fill, empty, alert, silent }: Standing,
  fields: Partial<TankFields> = {},
): Promise<void> {
  await insertTanks(sql, [
    aTank('ours', { id, name: id, capacity: 1000, latitude: 48, longitude: 16, ...fields }),
  ]);
  const { rows } = await sql.query<{ key: string }>('select key from tanks where id = $1', [id]);
  const age = silent === true ? '40 days' : '1 minute';
  await sql.query(
    `insert into telemetry (tank_key, created_at, fill_percentage) values ($1, now() - $2::interval, $3)`,
    [rows[0]?.key, age, fill],
  );
  if (empty === undefined && alert === undefined) return;
  await sql.query(
    `update tank_states set forecast_made_at = now(), alert_hours = $2, empty_hours = $3 where tank_key = $1`,
    [rows[0]?.key, hours(alert), hours(empty) ?? [null, null, null]],
  );
  await sql.query(
    `insert into tank_forecasts (tank_key, made_at, threshold, percent_per_day, empty_hours, round) values ($1, now(), 20, 1, $2, 0)`,
    [rows[0]?.key, hours(empty) ?? [null, null, null]],
  );
}

const ask = (more: object = {}) => api.post('/v1/runs/suggest').send({ date: DATE, ...more });
const suggest = async (more: object = {}) =>
  (await ask(more).expect(200)).body as {
    stops: { tank_id: string; planned: number; reason: string }[];
    left_out: { tank_id: string; reason: string; run_id: string | null }[];
    left_out_total: number;
    planned: number;
  };
const told = async (more: object = {}) => {
  const { stops, left_out: left } = await suggest(more);
  const why = [...stops, ...left].map(({ tank_id: id, reason }) => `${id}: ${reason}`);
  return [why.slice(0, stops.length), why.slice(stops.length)];
};

/** On another run. */
const plan = (date: string, ...tanks: string[]) =>
  api
    .put('/v1/runs/other')
    .send({ date, stops: tanks.map((tank_id) => ({ tank_id, planned: 1 })) })
    .expect(201);

beforeEach(async () => {
  await sql.query('delete from runs; delete from tank_forecasts');
  await insertFleetOf(sql, { ours: [], theirs: [] });
});

describe('a suggested run', () => {
  it('has the tanks that are due, the soonest empty first, and says why', async () => {
    await standing('late', { fill: 70, empty: '2026-12-20', alert: '2026-12-02T00:00:00Z' });
    await standing('soon', { fill: 40, empty: '2026-11-30', alert: '2026-12-01T23:00:00Z' });
    await standing('low', { fill: 10, empty: '2026-11-26' });
    await standing('old-low', { fill: 12 });
    await standing('alert', { fill: 45, alert: '2026-11-30' });
    await standing('fine', { fill: 80 });
    expect(await told()).toEqual([
      ['low: empty by 2026-11-26', 'soon: empty by 2026-11-30', 'old-low: low', 'alert: alert by 2026-11-30'],
      [],
    ]);
    expect((await told({ until: '2026-12-02' }))[0]).toContain('late: empty by 2026-12-20');
    expect(await suggest()).toEqual({
      object: 'run',
      date: DATE,
      name: null,
      capacity: null,
      capacity_unit: 'liters',
      start: null,
      status: 'planned',
      planned: 2330,
      delivered: 0,
      distance_km: 0,
      stop_count: 4,
      open_count: 4,
      discrepancies: 0,
      stops: expect.any(Array),
      left_out: [],
      left_out_total: 0,
    });
    const { stops } = await suggest({ fill_to: 90, capacity_unit: 'gallons' });
    expect(stops[0]).toMatchObject({
      tank_id: 'low',
      planned: 211.34,
      status: 'open',
      delivered: null,
      measured: null,
      tank: { name: 'low', fill_percentage: 10, capacity_unit: 'liters' },
    });
    const { body } = await ask().expect(200);
    const created = await api
      .post('/v1/runs')
      .send(body as object)
      .expect(201);
    expect(created.body).toMatchObject({ planned: 2330, stop_count: 4 });
  });

  it("fills to the installation's level, unless another is asked for", async () => {
    const environment = { FILL_TO_PERCENT: '70' };
    const other = await startService({ database: service.database, environment });
    await standing('low', { fill: 10 });
    const planned = async (more: object = {}) => {
      const asked = other
        .agent(service.key)
        .post('/v1/runs/suggest')
        .send({ date: DATE, ...more });
      return ((await asked.expect(200)).body as { planned: number }).planned;
    };
    expect([await planned(), await planned({ fill_to: 90 })]).toEqual([600, 800]);
  });

  it('leaves out what is silent, planned, full or does not fit, the first that holds', async () => {
    await standing('silent', { fill: 5, empty: '2026-11-25', silent: true });
    await standing('planned', { fill: 5, empty: '2026-11-26' });
    await standing('full', { fill: 90, empty: '2026-11-27', alert: '2026-11-27' });
    await standing('large', { fill: 5, empty: '2026-11-28' }, { capacity: 5000 });
    await standing('small', { fill: 5, empty: '2026-11-29' });
    await standing('next', { fill: 5, empty: '2026-11-30' });
    await plan('2026-12-24', 'planned', 'silent');
    const capacity = 1599.99;
    expect(await told({ capacity })).toEqual([
      ['small: empty by 2026-11-29'],
      ['silent: silent', 'planned: planned', 'full: full', 'large: does_not_fit', 'next: does_not_fit'],
    ]);
    expect((await told({ capacity: 1600 }))[0]).toHaveLength(2);
    const { left_out: left, left_out_total: total } = await suggest({ capacity });
    expect([left.map(({ run_id: id }) => id), total]).toEqual([[null, 'other', null, null, null], 5]);
    await api.patch('/v1/runs/other/stops/planned').send({ status: 'skipped' }).expect(200);
    expect((await told())[0]).toContain('planned: empty by 2026-11-26');
  });

  it('fills up with what is nearby, the nearest first', async () => {
    await standing('due', { fill: 5 });
    await standing('near', { fill: 60 }, { latitude: 48.05 });
    await standing('nearer-b', { fill: 60 }, { latitude: 47.99 });
    await standing('nearer-a', { fill: 60 }, { latitude: 48.01 });
    await standing('too-full', { fill: 60.1 });
    await standing('too-far', { fill: 30 }, { latitude: 48.09 });
    await standing('nowhere', { fill: 30 }, { latitude: null });
    await standing('unheard', { fill: 30, silent: true });
    await standing('taken', { fill: 30 });
    await plan(DATE, 'taken');
    expect(await told()).toEqual([['due: low', 'nearer-a: nearby', 'nearer-b: nearby', 'near: nearby'], []]);
    expect(await told({ capacity: 1300 })).toEqual([
      ['due: low', 'nearer-a: nearby', 'nearer-b: nearby'],
      [],
    ]);
    expect((await told({ capacity: 799 }))[0]).toEqual([]); // nothing is near to what is no stop
  });

  it('takes room for 25 points as people count, and those as near by their ids as elsewhere', async () => {
    await standing('due', { fill: 5 });
    for (const id of ['😀', 'ﬀ']) await standing(id, { fill: 60.1 });
    expect((await told({ fill_to: 85.1 }))[0]).toEqual(['due: low', 'ﬀ: nearby', '😀: nearby']);
  });

  it('takes the words and the owner of the fleet, and 200 stops at most', async () => {
    const ids = Array.from({ length: 203 }, (_, i) => `t${String(i).padStart(3, '0')}`);
    await insertFleetOf(sql, { ours: [], theirs: ids });
    await sql.query(`update tanks set name = 'Boiler Süd'`);
    await sql.query(`insert into telemetry (tank_key, fill_percentage) select key, 5 from tanks`);
    const { stops, left_out: left, left_out_total: total } = await suggest();
    expect([stops.length, left.map(({ tank_id: id }) => id), total]).toEqual([200, ids.slice(200), 3]);
    expect(left[0]).toMatchObject({ reason: 'does_not_fit' });
    await standing('ours', { fill: 5 });
    expect((await told({ owner_id: 'ours' }))[0]).toEqual(['ours: low']);
    expect((await suggest({ q: 'sud boil', owner_id: 'theirs', capacity: 5000 })).stops).toHaveLength(2);
    for (const nobody of [{ owner_id: 'nobody' }, { q: 'nowhere' }])
      expect(await told(nobody)).toEqual([[], []]);
  });

  it('reads the names of those alone that it shows, however many tanks are due', async () => {
    const ids = Array.from({ length: 203 }, (_, i) => `t${i}`);
    await insertFleetOf(sql, { ours: ids });
    await sql.query(`update tanks set name = 'NAMED', capacity = 1000`);
    await sql.query(`insert into telemetry (tank_key, fill_percentage) select key, 5 from tanks`);
    const read: string[] = [];
    const reads = {
      rows: async ({ text }: { text: string }, values: unknown[]) => {
        const { rows } = await sql.query<object>(text, values);
        read.push(...rows.map((row) => JSON.stringify(row)));
        return rows;
      },
    } as unknown as Reads;
    const input = Object.assign(new SuggestionInput(), { date: DATE, capacity: 1 });
    const { left_out: left, left_out_total: total } = await new Suggestions(reads, {
      fillToPercent: 85,
    }).suggest(input);
    expect([left[199]?.name, left.length, total]).toEqual(['NAMED', 200, 203]);
    expect(read.filter((row) => row.includes('NAMED'))).toHaveLength(200);
  });

  it.each([
    [{ date: undefined }, '/date'],
    [{ until: '2026-02-30' }, '/until'],
    [{ fill_to: 0.9 }, '/fill_to'],
    [{ fill_to: 101 }, '/fill_to'],
    [{ capacity: 0 }, '/capacity'],
    [{ q: 'x' }, '/q'],
    [{ owner_id: '' }, '/owner_id'],
    [{ start: { latitude: 1 } }, '/start/longitude'],
    [{ name: 'Truck' }, '/name'],
  ])('is refused with %j', async (more, pointer) => {
    expect(pointersOf(await ask(more).expect(400))).toEqual([pointer]);
  });
});
