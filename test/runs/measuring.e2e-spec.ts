// What was billed and what arrived: deliveries are measured by readings, late ones too, and by entries.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Run } from 'tank-monitoring-client';
import { SCOPES } from '../../src/common/auth/scope.js';
import { measureDeliveries } from '../../src/runs/measuring.js';
import { startService } from '../support/app.js';
import { aTank, clear, insertCustomer, insertTanks, writeReadings } from '../support/builders.js';

const service = await startService();
const { sql } = service;
const api = service.agent(await service.createKey({ scopes: SCOPES }));

const HOUR = 3_600_000;
const NOW = Date.now();
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();
/** `hours:level`, from now. */
const report = (tank: string, text: string) =>
  writeReadings(
    sql,
    tank,
    text.split(' ').map((part) => {
      const [hours = '', fill = ''] = part.split(':');
      return { created_at: at(Number(hours)), fill_percentage: Number(fill) };
    }),
  );
const named: unknown[] = [];
const logger = { warn: (...[place]: unknown[]) => void named.push(place) };
const work = async (query: typeof sql.query = sql.query.bind(sql)) => {
  await sql.query('select place_changes()');
  const pool = { query, connect: () => sql.connect() } as typeof sql;
  await measureDeliveries(pool, { logger, mayGoOn: () => true });
};

const show = async (run: string) => (await api.get(`/v1/runs/${run}`).expect(200)).body as Run;
const measuredOf = async (run: string, tank = 'a') =>
  (await show(run)).stops.find(({ tank_id: id }) => id === tank)?.measured;
const plan = (id: string, tanks: string, more: object = {}) =>
  api
    .put(`/v1/runs/${id}`)
    .send({
      date: '2026-11-24',
      stops: tanks.split('').map((tank_id) => ({ tank_id, planned: 600 })),
      ...more,
    })
    .expect(201);
const deliver = (run: string, tank: string, delivered: number, hours = -10) =>
  api
    .patch(`/v1/runs/${run}/stops/${tank}`)
    .send({ status: 'delivered', delivered, delivered_at: at(hours) })
    .expect(200);

beforeEach(async () => {
  await sql.query('delete from runs');
  await clear(sql);
  await insertCustomer(sql, { id: 'ours' });
  await insertTanks(sql, [
    aTank('ours', { id: 'a', capacity: 1000 }),
    aTank('ours', { id: 'b', capacity: 1000, capacity_unit: 'gallons' }),
  ]);
});

describe('a delivery', () => {
  it('is measured by readings before and after it was entered, and counted where it differs', async () => {
    await plan('r', 'ab');
    await report('a', '-40:21 -12:20 -11:20');
    await deliver('r', 'a', 600);
    await work();
    expect(await measuredOf('r')).toBeNull();
    const { headers } = await api.get('/v1/runs/r');
    await report('a', '-9:70');
    await work();
    expect(await measuredOf('r')).toBeNull(); // waits for the next
    await report('a', '-8:69.8');
    await work();
    expect(await measuredOf('r')).toEqual({
      volume: 500,
      before: { created_at: at(-11), fill_percentage: 20 },
      after: { created_at: at(-9), fill_percentage: 70 },
      difference_percent: -16.7,
      discrepancy: true,
    });
    expect(await show('r')).toMatchObject({ discrepancies: 1 });
    const { body } = await api.get('/v1/runs').expect(200);
    expect(body).toMatchObject({ data: [{ discrepancies: 1 }] });
    expect((await api.get('/v1/runs/r')).headers['etag']).toBe(headers['etag']);
    await report('a', '-9.5:45'); // late, in between
    await report('a', '-10.5:15'); // late, before it
    await work();
    expect(await measuredOf('r')).toMatchObject({ volume: 550, before: { fill_percentage: 15 } });
    await api.patch('/v1/runs/r/stops/a').send({ note: 'gate' }).expect(200); // which says nothing of the delivery
    expect(await measuredOf('r')).toMatchObject({ volume: 550 });
    await deliver('r', 'a', 550);
    await work();
    expect(await show('r')).toMatchObject({
      discrepancies: 0,
      stops: [{ measured: { difference_percent: 0 } }, {}],
    });
    await api.patch('/v1/runs/r/stops/a').send({ status: 'open' }).expect(200);
    expect(await measuredOf('r')).toBeNull();
    await work();
    expect(await measuredOf('r')).toBeNull();
  });

  it('is measured in the unit of the run', async () => {
    await plan('liters', 'b');
    await report('b', '-30:20 -11:20 -9:80 -8:80');
    await deliver('liters', 'b', 2271.25);
    await plan('gallons', 'b', { capacity_unit: 'gallons', date: '2026-11-25' });
    await deliver('gallons', 'b', 600, -9.5);
    await work();
    expect(await measuredOf('liters', 'b')).toBeNull(); // the other is nearer
    expect(await measuredOf('gallons', 'b')).toMatchObject({ volume: 600, difference_percent: 0 });
    await api.patch('/v1/runs/gallons/stops/b').send({ status: 'skipped' }).expect(200);
    await work();
    expect(await measuredOf('liters', 'b')).toMatchObject({ volume: 2271.25, discrepancy: false });
  });

  it('that never came is found, also if its readings came before the entry', async () => {
    await report('a', '-60:50 -30:48 -10:46 10:44');
    await plan('r', 'a');
    await deliver('r', 'a', 600, -20);
    await work();
    expect(await measuredOf('r')).toMatchObject({ volume: 0, difference_percent: -100, discrepancy: true });
  });

  it('is final 7 days after it was entered last', async () => {
    await plan('r', 'a');
    await report('a', '-12:20 -11:20 -9:80 -8:80');
    await deliver('r', 'a', 600);
    await work();
    await sql.query(`update run_stops set entered_at = entered_at - interval '7 days'`);
    await report('a', '-8.5:10'); // so that it would be none
    await work();
    expect(await measuredOf('r')).toMatchObject({ volume: 600 });
    await deliver('r', 'a', 601);
    await work();
    expect(await measuredOf('r')).toBeNull();
  });

  it('is measured when the feed has lost changes', async () => {
    await plan('r', 'a');
    await deliver('r', 'a', 600);
    await work();
    await report('a', '-12:20 -11:20 -9:80 -8:80');
    await sql.query('select place_changes(); select restart_changes()');
    await work();
    expect(await measuredOf('r')).toMatchObject({ volume: 600 });
  });

  it('of a tank with very many readings is measured a few thousand at a time', async () => {
    await plan('r', 'a');
    await sql.query(
      `insert into telemetry (tank_key, created_at, fill_percentage)
       select key, $1::timestamptz + n * interval '5 seconds', case when n < 10000 then 20 + n % 3 * 0.4 else 80 - n % 3 * 0.4 end
       from tanks, generate_series(1, 20000) n where id = 'a'`,
      [at(-24)],
    );
    await deliver('r', 'a', 600);
    let most = 0;
    await work((async (...asked: [string, unknown[]]) => {
      const answer = await sql.query<{ readings?: unknown[] }>(...asked);
      most = Math.max(most, answer.rows.length, ...answer.rows.map(({ readings = [] }) => readings.length));
      return answer;
    }) as typeof sql.query);
    expect(await measuredOf('r')).toMatchObject({ volume: 596, before: { fill_percentage: 20 } });
    expect(most).toBe(2_000);
  });

  it('whose measuring ends the process is put off and named, and holds up no other', async () => {
    await plan('r', 'ab');
    for (const tank of 'ab') await report(tank, '-12:20 -11:20 -9:80 -8:80');
    await deliver('r', 'a', 600);
    const key = (await sql.query<{ key: string }>(`select key from tanks where id = 'a'`)).rows[0]?.key;
    const dying = ((...asked: [string, unknown[]?]) => {
      if (asked[1]?.[0] === key) throw new Error('out of memory');
      return sql.query(...asked);
    }) as typeof sql.query;
    await expect(work(dying)).rejects.toThrow('out of memory');
    await deliver('r', 'b', 600);
    await work(dying); // the next start
    expect(await measuredOf('r', 'b')).not.toBeNull();
    expect(await measuredOf('r', 'a')).toBeNull();

    await sql.query(`update run_stops set measure_at = now() where measure_at > now()`);
    named.length = 0;
    await work();
    expect(await measuredOf('r', 'a')).toMatchObject({ volume: 600 });
    expect(named).toEqual([{ run: 'r', tank: 'a', tries: 2 }]);
  });
});
