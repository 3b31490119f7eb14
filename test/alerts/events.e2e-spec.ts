// GET /v1/events and GET /v1/events/:id: what happened to tanks, and how it is told.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TankEvent } from 'tank-monitoring-client';
import { judgeAll } from '../../src/alerts/judging.js';
import { startService } from '../support/app.js';
import {
  aTank,
  clear,
  insertCustomers,
  insertReadings,
  insertTanks,
  keepStates,
  writeReadings,
} from '../support/builders.js';
import { dying } from '../support/dying.js';
import { NOWHERE } from '../support/manage.js';

const service = await startService();
const { sql, api } = service;

const MINUTE = 60_000;
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();

const report = (tank: string, minutes: number, fill_percentage: number) =>
  insertReadings(sql, tank, [{ created_at: minutesAgo(minutes), fill_percentage }]);

async function list(query = ''): Promise<TankEvent[]> {
  await judgeAll(sql);
  const { body } = await api.get(`/v1/events${query}`).expect(200);
  return body.data as TankEvent[];
}
const typesOf = (events: readonly TankEvent[]): string[] => events.map(({ type }) => type);

beforeEach(async () => {
  await sql.query('delete from events');
  await clear(sql);
  await insertCustomers(sql, [{ id: 'ours', name: 'Ours', email: 'ours@example.com' }, { id: 'theirs' }]);
  await insertTanks(sql, [
    aTank('ours', { id: 'tank-1', name: 'Boiler', custom_id: 'B-1', city: 'Rotterdam', latitude: 51.9 }),
    aTank('theirs', { id: 'tank-2' }),
  ]);
});

describe('an event', () => {
  it('holds what is needed to act without asking back', async () => {
    const [before, reading] = [minutesAgo(20), minutesAgo(10)];
    await insertReadings(sql, 'tank-1', [{ created_at: before, fill_percentage: 20.5 }]);
    await insertReadings(sql, 'tank-1', [{ created_at: reading, fill_percentage: 19.5 }]);
    expect(await list()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
        object: 'event',
        type: 'tank.low',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        tank_id: 'tank-1',
        owner_id: 'ours',
        data: {
          reading: { created_at: reading, fill_percentage: 19.5 },
          before: { created_at: before, fill_percentage: 20.5 },
          min_fill_alert_percentage: 20,
          silent_after_seconds: 86_400,
          tank: { name: 'Boiler', custom_id: 'B-1', capacity: 2700, capacity_unit: 'liters' },
          owner: { name: 'Ours', email: 'ours@example.com' },
          location: { ...NOWHERE, city: 'Rotterdam', latitude: 51.9 },
        },
      },
    ]);
  });

  it('of a refill says how much was delivered, in the unit of the tank', async () => {
    await sql.query(`update tanks set capacity = 1234.5, capacity_unit = 'gallons' where id = 'tank-1'`);
    await report('tank-1', 60, 12.6);
    await report('tank-1', 50, 12.4);
    await report('tank-1', 40, 84.9);
    expect(await list('?type=tank.refilled')).toEqual([
      expect.objectContaining({
        data: expect.objectContaining({
          delivered: { volume: 895.01, unit: 'gallons' },
          tank: { name: 'Boiler', custom_id: 'B-1', capacity: 1234.5, capacity_unit: 'gallons' },
        }),
      }),
    ]);
    const lowOnes = await list('?type=tank.low');
    expect(lowOnes.map(({ data }) => Object.keys(data).includes('delivered'))).toEqual([false]);
  });

  it('names no owner who is deleted, and is found by its id', async () => {
    await sql.query(`update customers set deleted = true where id = 'ours'`);
    await report('tank-1', 5, 10);
    const [event] = await list();
    expect(event).toMatchObject({
      owner_id: 'ours',
      data: { owner: { name: null, email: null }, before: null },
    });
    expect((await api.get(`/v1/events/${event?.id}`).expect(200)).body).toEqual(event);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await report('tank-1', 50, 30);
    await report('tank-1', 40, 15); // low
    await report('tank-1', 30, 90); // refilled, recovered
    await report('tank-2', 20, 10); // low
  });

  it.each([
    ['', ['tank-2 tank.low', 'tank-1 tank.recovered', 'tank-1 tank.refilled', 'tank-1 tank.low']],
    ['?type=tank.low', ['tank-2 tank.low', 'tank-1 tank.low']],
    ['?tank_id=tank-1', ['tank-1 tank.recovered', 'tank-1 tank.refilled', 'tank-1 tank.low']],
    ['?tank_id=tank-1&type=tank.refilled', ['tank-1 tank.refilled']],
    ['?tank_id=unknown', []],
    ['?owner_id=ours', ['tank-1 tank.recovered', 'tank-1 tank.refilled', 'tank-1 tank.low']],
    ['?owner_id=theirs', ['tank-2 tank.low']],
    ['?owner_id=ours&type=tank.low', ['tank-1 tank.low']],
    ['?owner_id=ours&tank_id=tank-1&type=tank.refilled', ['tank-1 tank.refilled']],
    ['?owner_id=ours&tank_id=tank-2', []],
    ['?owner_id=theirs&created_at_lte=2026-01-01', []],
    ['?owner_id=a%00b', []],
  ])(
    'is in the order in which things happened, newest first, of what is asked for: %s',
    async (query, told) => {
      const { body } = await api.get(`/v1/events${query}`).expect(200);
      expect((body.data as TankEvent[]).map(({ type, tank_id }) => `${tank_id} ${type}`)).toEqual(told);
      expect(body).toMatchObject({ total_items: told.length, total_pages: Math.min(told.length, 1) });
    },
  );

  it('shows a key that is bound to a customer the events of that customer only', async () => {
    const bound = service.agent(await service.createKey({ customerId: 'theirs' }));
    const { body } = await bound.get('/v1/events').expect(200);
    expect(body).toMatchObject({ total_items: 1, data: [{ tank_id: 'tank-2' }] });
    expect((await bound.get('/v1/events?owner_id=theirs').expect(200)).body).toMatchObject({
      total_items: 1,
    });
    for (const others of ['tank_id=tank-1', 'owner_id=ours', 'owner_id=ours&tank_id=tank-2']) {
      expect((await bound.get(`/v1/events?${others}`).expect(200)).body).toMatchObject({ total_items: 0 });
    }
    const [, ours] = await list();
    await bound.get(`/v1/events/${ours?.id}`).expect(404);
  });

  it('keeps the order of one tank within a millisecond, and when the clock was set back', async () => {
    const inAMinute = new Date(Date.now() + MINUTE).toISOString();
    await sql.query('delete from events where tank_id = $1', ['tank-2']);
    const sorted = ['tank.reporting', 'tank.refilled', 'tank.recovered', 'tank.low', 'tank.silent'];
    const fills = [1, 2, 3, 4, 5];
    const record = `
      select record_events(array_fill(key, '{5}'), $1, array_fill(now(), '{5}'), $2, array_fill(now(), '{5}'), $2,
                           array_fill(3600, '{5}'))
      from tanks where id = 'tank-2'`;
    await sql.query(record, [sorted, fills]);
    await sql.query(
      `update events set created_at = $1, id = event_id($1, number_of_event(id)) where tank_id = 'tank-2'`,
      [inAMinute],
    );
    await sql.query(record, [sorted.toReversed(), fills.map((fill) => fill + 5)]);
    const events = await list('?tank_id=tank-2');
    expect(new Set(events.map(({ created_at }) => created_at))).toEqual(new Set([inAMinute]));
    expect(typesOf(events)).toEqual([...sorted, ...sorted.toReversed()]);
  });

  it('stays when a tank is deleted, belongs to the owner of its time, and ends with its retention', async () => {
    await sql.query(`update tanks set owner_id = 'theirs', deleted = true where id = 'tank-1'`);
    expect((await list('?tank_id=tank-1')).map(({ owner_id }) => owner_id)).toEqual(['ours', 'ours', 'ours']);
    await sql.query(`update events set created_at = now() - interval '91 days' where tank_id = 'tank-1'`);
    await sql.query(`select forget_events(now() - interval '90 days', 1000)`);
    const { body } = await api.get('/v1/events').expect(200);
    expect(body).toMatchObject({ total_items: 1, data: [{ tank_id: 'tank-2' }] });
  });
});

it('history rings no bell, however it comes', async () => {
  const readings = Array.from({ length: 200 }, (_, i) => ({
    created_at: minutesAgo(2 * 1440 + i * 15),
    fill_percentage: i % 7 === 0 ? 5 : 80,
  }));
  await insertReadings(sql, 'tank-1', readings);
  await sql.query('select mark_silent_tanks(1000)');
  expect(await list()).toEqual([]);
});

it('many events keep exact totals and pages, whatever the range', async () => {
  await report('tank-1', 5, 10);
  await sql.query(`
      insert into events (id, type, created_at, tank_id, owner_id, data)
      select event_id(at), (array['tank.low', 'tank.recovered'])[1 + n % 2], at, 'tank-1',
             case when n % 3 = 0 then 'theirs' else 'ours' end, event.data
      from events event,
           (select n, date_trunc('milliseconds', now() - n * interval '37 minutes') as at
            from generate_series(1, 3000) n) moments`);
  for (const [query, where] of [
    ['', 'true'],
    ['type=tank.low', `type = 'tank.low'`],
    ['owner_id=ours', `owner_id = 'ours'`],
    ['owner_id=theirs&type=tank.low', `owner_id = 'theirs' and type = 'tank.low'`],
  ] as const) {
    for (const page of [1, 45, 60, 141, 150]) {
      const { rows } = await sql.query<{ id: string }>(
        `select id from events where ${where} order by created_at desc, id desc offset ${(page - 1) * 10} limit 10`,
      );
      const { rows: counted } = await sql.query<{ n: number }>(
        `select count(*)::integer as n from events where ${where}`,
      );
      const { body } = await api.get(`/v1/events?page=${page}&${query}`).expect(200);
      expect(body.total_items).toBe(counted[0]?.n);
      expect((body.data as TankEvent[]).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    }
  }
  await sql.query('delete from events');
});

describe('judging', () => {
  it.each([1, 2, 3, 4])(
    'that is killed after %s statements has recorded nothing, and is done again',
    async (statements) => {
      await writeReadings(sql, 'tank-1', [{ created_at: minutesAgo(1), fill_percentage: 10 }]);
      await keepStates(sql);
      const { database, hasDied } = dying(sql, statements);
      await expect(judgeAll(database)).rejects.toThrow('killed');
      expect(await hasDied()).toBe(true);
      expect((await sql.query('select from events')).rowCount).toBe(0);
      expect(typesOf(await list())).toEqual(['tank.low']);
      expect(typesOf(await list())).toEqual(['tank.low']);
    },
  );

  it('of a tank that fails keeps no other tank from being judged, and is tried again', async () => {
    await sql.query(`alter table events add constraint refused check (tank_id <> 'tank-1')`);
    await writeReadings(sql, 'tank-1', [{ created_at: minutesAgo(1), fill_percentage: 10 }]);
    await writeReadings(sql, 'tank-2', [{ created_at: minutesAgo(1), fill_percentage: 10 }]);
    await keepStates(sql);
    await expect(judgeAll(sql)).rejects.toThrow('violates check constraint "refused"');
    const { rows } = await sql.query('select tank_id from events');
    await sql.query('alter table events drop constraint refused');
    expect(rows).toEqual([{ tank_id: 'tank-2' }]);
    expect((await list()).map(({ tank_id }) => tank_id).toSorted()).toEqual(['tank-1', 'tank-2']);
  });

  it('that nobody does for long leaves a note of bounded size, and nothing is lost', async () => {
    for (let minute = 150; minute > 0; minute -= 1) {
      await writeReadings(sql, 'tank-1', [
        { created_at: minutesAgo(minute), fill_percentage: minute % 2 === 0 ? 10 : 30 },
      ]);
      await keepStates(sql);
    }
    const notes = 'select cardinality(written_at) as n, cardinality(reached) as m from tanks_to_judge';
    expect((await sql.query(notes)).rows).toEqual([{ n: 100, m: 100 }]);
    await judgeAll(sql);
    expect((await sql.query('select from events')).rowCount).toBe(150);
  });

  it('of very many readings goes on where it was killed, a few thousand at a time', async () => {
    await sql.query(`
      insert into telemetry (tank_key, created_at, fill_percentage)
      select key, now() - n * interval '3 seconds', case when n / 500 % 2 = 0 then 10 else 30 end
      from tanks, generate_series(0, 11999) n where id = 'tank-1'`);
    await keepStates(sql);
    const { database, hasDied } = dying(sql, 7);
    await expect(judgeAll(database)).rejects.toThrow('killed');
    expect(await hasDied()).toBe(true);
    const { rowCount: before } = await sql.query('select from events');
    expect(before).toBeGreaterThan(5);
    expect(before).toBeLessThan(15);
    const expected = Array.from({ length: 23 }, (_, n) => (n % 2 === 0 ? 'tank.low' : 'tank.recovered'));
    expect(typesOf(await list('?size=100')).filter((type) => type !== 'tank.refilled')).toEqual(expected);
  });

  it('by several at once, while readings come in, records each event once and in its order', async () => {
    const fills = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 10 : 30));
    const over = new AbortController();
    const judges = [1, 2, 3].map(async () => {
      while (!over.signal.aborted) await judgeAll(sql);
    });
    for (const [i, fill_percentage] of fills.entries()) {
      await Promise.all(
        ['tank-1', 'tank-2'].map((tank) =>
          writeReadings(sql, tank, [{ created_at: minutesAgo(30 - i), fill_percentage }]),
        ),
      );
      await keepStates(sql);
    }
    over.abort();
    await Promise.all(judges);
    const expected = fills.map((fill) => (fill === 10 ? 'tank.low' : 'tank.recovered')).toReversed();
    expect(typesOf(await list('?tank_id=tank-1&size=100'))).toEqual(expected);
    expect(typesOf(await list('?tank_id=tank-2&size=100'))).toEqual(expected);
  });
});
