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
const work = async () => {
  await sql.query('select place_changes()');
  await measureDeliveries(sql);
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
});
