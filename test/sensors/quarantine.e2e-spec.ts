// Uplinks in quarantine: the list, one by its id, trying again, discarding, and its bounds.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import type { Pool } from 'pg';
import { Background } from '../../src/background/background.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { LIST_OF_BOUND_KEY } from '../../src/sensors/quarantine.service.js';
import { lockTable, waitForLocks } from '../faults/support/own-postgres.js';
import { until } from '../faults/support/until.js';
import { startService, type Agent } from '../support/app.js';
import { aTank, insertTanks } from '../support/builders.js';
import { stored } from '../support/ingest.js';
import { problem } from '../support/problems.js';
import {
  AT,
  CALIBRATION,
  chirpStack,
  createKeys,
  decoded,
  device,
  EUI,
  insertSensors,
  later as at,
  outcomeOf,
  send,
  setSensor,
  tts,
  type Keys,
} from '../support/uplinks.js';

const service = await startService();
const { sql } = service;
let keys: Keys;
let sender: Agent;

beforeEach(async () => {
  await insertSensors(sql);
  keys = await createKeys(service);
  ({ sender } = keys);
});

interface Item {
  readonly id: string;
  readonly device_id: string;
  readonly reason: string;
  readonly created_at: string;
}

const list = async (agent: Agent, query = ''): Promise<{ data: Item[]; total_items: number }> =>
  (await agent.get(`/v1/uplinks${query}`).expect(200)).body as { data: Item[]; total_items: number };

const retry = (agent: Agent, body?: object) =>
  body === undefined ? agent.post('/v1/uplinks/retry') : agent.post('/v1/uplinks/retry').send(body);

const retried = (given: object): object => ({
  object: 'retry_result',
  stored: 0,
  unchanged: 0,
  quarantined: 0,
  remaining: 0,
  next: null,
  ...given,
});

const item = (id: string | null, more: object) => ({
  id,
  object: 'uplink',
  created_at: expect.any(String),
  detail: null,
  topic: null,
  ...more,
});

/** Of so many devices, so many each, received so long ago, sent with a key that is bound to a customer or to none. */
const fill = (
  devices: number,
  each: number,
  ago = '1 hour',
  on: Pick<Pool, 'query'> = sql,
  customer: string | null = null,
) =>
  on.query(
    `insert into quarantined_uplinks (id, created_at, source, customer_id, device_id, sent_at, reason, payload)
     select event_id(moment, n) || coalesce($4, ''), moment, 'tts', $4, 'device ' || device, moment, 'unknown_device', '{}'
     from generate_series(1, $1) device, generate_series(1, $2) n,
          lateral (select now() - $3::interval + n * interval '1 millisecond' as moment) received`,
    [devices, each, ago, customer],
  );

/** As if it had been received, of the device of the messages. */
const keep = (payload: string, second: number) =>
  sql.query(
    `insert into quarantined_uplinks (id, created_at, source, device_id, sent_at, reason, payload)
     select event_id(moment, 1), moment, 'chirpstack', $1, $2, 'no_sensor', $3
     from (select now() - interval '1 hour' + $4 * interval '1 second' as moment) received`,
    [EUI, at(second), payload, second],
  );

async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const unlock = await lockTable(service.database.url, 'quarantined_uplinks');
  try {
    return await work();
  } finally {
    await unlock();
  }
}

const dropped = async (on: Pick<Pool, 'query'> = sql) =>
  (await on.query<{ n: number }>('select drop_old_uplinks(100000) as n')).rows[0]?.n;

const kept = async (on: Pick<Pool, 'query'> = sql) =>
  (await on.query<{ n: number }>('select count(*)::integer as n from quarantined_uplinks')).rows[0]?.n;

const keptBy = async (on: Pick<Pool, 'query'> = sql) => {
  const { rows } = await on.query<{ customer: string; n: number }>(
    `select coalesce(customer_id, 'none') as customer, count(*)::integer as n from quarantined_uplinks group by 1`,
  );
  return Object.fromEntries(rows.map(({ customer, n }) => [customer, n]));
};

describe('the list', () => {
  it('is the usual one, newest first, without payloads', async () => {
    const first = await outcomeOf(sender, device('device-b'));
    const second = await outcomeOf(sender, tts({ end_device_ids: { device_id: 'nobody' } }), 'tts');

    const { body } = await sender.get('/v1/uplinks').expect(200);

    expect(body).toStrictEqual({
      object: 'list',
      data: [
        item(second.uplink_id, { source: 'tts', device_id: 'nobody', reason: 'unknown_device' }),
        item(first.uplink_id, { source: 'chirpstack', device_id: 'device-b', reason: 'no_sensor' }),
      ],
      page: 1,
      size: 10,
      total_pages: 1,
      total_items: 2,
    });
  });

  it('is filtered by device, however an EUI is written, by reason and by time', async () => {
    await send(sender, decoded({ distance: 'x' })).expect(200);
    await send(sender, decoded({ distance: 9999 }, { time: at(1) })).expect(200);
    await send(sender, device('device-b')).expect(200);
    const devices = async (query: string) => (await list(sender, query)).data.map((one) => one.device_id);

    expect(await devices('?device_id=00-16-c0-01-f0-00-17-5a')).toEqual([EUI, EUI]);
    expect(await devices(`?device_id=${EUI.toLowerCase()}&reason=out_of_range`)).toEqual([EUI]);
    expect(await devices('?reason=no_sensor')).toEqual(['device-b']);
    expect(await devices('?device_id=Device-b')).toEqual([]);
    expect(await devices('?device_id=%00')).toEqual([]);
    expect(await devices(`?created_at_lte=${at(0)}`)).toEqual([]);
    expect(await devices(`?created_at_gte=${at(0)}&size=1&page=2`)).toHaveLength(1);
  });

  it('refuses what is no reason, an empty device and what it does not know', async () => {
    const { body } = await sender.get('/v1/uplinks?reason=bad&device_id=&sourc=tts').expect(400);

    expect(body).toMatchObject({
      code: 'invalid_parameters',
      errors: [{ parameter: 'sourc' }, { parameter: 'device_id' }, { parameter: 'reason' }],
    });
  });

  it('shows a bound key what was sent with keys of its customer', async () => {
    await send(sender, device('x')).expect(200);
    const mine = await outcomeOf(keys.ours, device('x'));
    const other = await outcomeOf(keys.theirs, device('x'));

    expect((await list(keys.ours)).data.map(({ id }) => id)).toEqual([mine.uplink_id]);
    expect((await list(sender)).total_items).toBe(3);
    await keys.ours.get(`/v1/uplinks/${mine.uplink_id}`).expect(200);
    expect((await keys.ours.get(`/v1/uplinks/${other.uplink_id}`).expect(404)).body).toEqual(
      problem(404, 'not_found', 'There is no uplink with this id.'),
    );
  });
});

it('what a bound key reads is its own only, however many others have', async () => {
  await fill(5, 900, '1 hour', sql, 'theirs');
  await fill(1, 3, '2 hours', sql, 'ours');
  await sql.query('vacuum analyze quarantined_uplinks');
  const client = await sql.connect();
  try {
    await client.query(`set plan_cache_mode = force_generic_plan; prepare list as ${LIST_OF_BOUND_KEY.text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) execute list ('-infinity', 'infinity', 0, 10, null, null, 'ours')`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const read = [...plan.matchAll(/(?:rows=|Removed by Filter: )(\d+)/g)].map(([, n]) => Number(n));
    expect(Math.max(...read)).toBe(3);
  } finally {
    client.release(true);
  }
  expect(await list(keys.ours)).toMatchObject({ total_items: 3 });
  expect(await list(sender)).toMatchObject({ total_items: 4503 });
});

describe('trying again', () => {
  it('stores what has become a reading, and leaves the rest with the reason it has now', async () => {
    await setSensor(sql, 'a', 'em400-udl', null);
    const messages = [0, 1, 2].map((i) => chirpStack({ time: at(i) }));
    for (const message of messages) await send(sender, message).expect(200);
    const left = await outcomeOf(sender, device('device-b'));
    await setSensor(sql, 'a', 'em400-udl', CALIBRATION);
    await setSensor(sql, 'b', 'em400-udl', null);

    const { body, headers } = await retry(sender, {}).expect(200);

    expect(body).toStrictEqual(retried({ stored: 3, quarantined: 1 }));
    expect(headers['cache-control']).toBe('no-store');
    expect(await stored(sql)).toEqual(Object.fromEntries([0, 1, 2].map((i) => [`a ${at(i)}`, 50])));
    expect((await list(sender)).data).toMatchObject([{ id: left.uplink_id, reason: 'no_calibration' }]);
    const { body: sensor } = await sender.get('/v1/tanks/a/sensor').expect(200);
    expect(sensor).toMatchObject({ last_uplink: { received_at: at(2), fill_percentage: 50 } });
  });

  it('needs no body, and says what is there already', async () => {
    await setSensor(sql, 'a', 'em400-udl', null);
    await send(sender, chirpStack()).expect(200);
    await setSensor(sql, 'a', 'em400-udl', CALIBRATION);
    await sender
      .post('/v1/telemetry')
      .send({ readings: [{ tank_id: 'a', created_at: AT, fill_percentage: 50 }] })
      .expect(200);

    expect((await retry(sender).expect(200)).body).toStrictEqual(retried({ unchanged: 1 }));
    expect((await retry(sender, { device_id: null, after: null }).expect(200)).body).toStrictEqual(
      retried({}),
    );
  });

  it('may be for one device, however it is written', async () => {
    await send(sender, decoded({ distance: 'x' })).expect(200);
    await send(sender, device('device-b')).expect(200);

    const { body } = await retry(sender, { device_id: '00:16:c0:01:f0:00:17:5a' }).expect(200);

    expect(body).toStrictEqual(retried({ quarantined: 1 }));
  });

  it('tries 1,000 a call, oldest first, and goes on from "next"', async () => {
    await sql.query(
      `insert into quarantined_uplinks (id, created_at, source, device_id, sent_at, reason, payload)
       select event_id(now() - (1100 - n) * interval '1 second', n), now() - (1100 - n) * interval '1 second', 'chirpstack',
              'many', timestamptz '${AT}' + n * interval '1 second', 'unknown_device',
              json_build_object('deviceInfo', json_build_object('devEui', 'many'), 'time', timestamptz '${AT}' + n * interval '1 second',
                                'object', json_build_object('distance', 1100))
       from generate_series(1, 1100) n`,
    );
    await insertTanks(sql, [aTank('ours', { id: 'many', assigned_device_id: 'many' })]);
    await setSensor(sql, 'many', 'em400-udl', CALIBRATION);

    const { body } = await retry(sender, { device_id: 'many' }).expect(200);
    const { next } = body as { next: string };

    expect(body).toStrictEqual(retried({ stored: 1000, remaining: 100, next: expect.any(String) }));
    expect(Object.keys(await stored(sql))).toContain(`many ${at(1000)}`);
    expect(Object.keys(await stored(sql))).not.toContain(`many ${at(1001)}`);
    expect((await retry(sender, { device_id: 'many', after: next }).expect(200)).body).toStrictEqual(
      retried({ stored: 100 }),
    );
  });

  it('passes over what was tried before: "after" is the place, whatever became of it', async () => {
    const ids = [];
    for (const i of [1, 2, 3]) ids.push((await outcomeOf(sender, device('x', { time: at(i) }))).uplink_id);

    const { body } = await retry(sender, { after: ids[1] }).expect(200);

    expect(body).toStrictEqual(retried({ quarantined: 1 }));
  });

  it('has the rights of the key that sent it, and sees what the key that tries sees', async () => {
    await send(keys.theirs, chirpStack()).expect(200);
    await send(keys.ours, device('device-c', { time: at(1) })).expect(200);
    await setSensor(sql, 'c', 'em400-udl', CALIBRATION);

    expect((await retry(keys.ours).expect(200)).body).toStrictEqual(retried({ quarantined: 1 }));
    expect((await retry(sender).expect(200)).body).toStrictEqual(retried({ quarantined: 2 }));
    expect(await stored(sql)).toEqual({});

    await sql.query(`update tanks set owner_id = 'ours' where id = 'c'`);
    expect((await retry(keys.theirs).expect(200)).body).toStrictEqual(retried({ quarantined: 1 }));
    expect((await retry(sender).expect(200)).body).toStrictEqual(retried({ stored: 1, quarantined: 1 }));
  });

  it('ends when its caller has left', async () => {
    for (let i = 0; i < 5; i += 1) await keep(JSON.stringify(chirpStack({ time: at(i) })), i);
    const key = await service.createKey({ scopes: ['telemetry:write'] });
    const hasty = await startService({
      database: service.database,
      environment: { ANSWER_TIMEOUT_MS: '3000' },
    });
    const { status } = await whileLocked(async () => {
      const leaving = request(`${hasty.url}/v1/uplinks/retry`, {
        method: 'POST',
        headers: { 'X-API-Key': key },
      });
      leaving.on('error', () => undefined).end();
      await waitForLocks(service.database.url, 1);
      leaving.destroy();
      return retry(hasty.agent(key)); // by the time that this is answered it is known
    });
    expect(status).toBe(503);

    const nobody = { device_id: 'nobody' };
    await until('it has ended', async () => (await retry(hasty.agent(key), nobody)).status === 200);
    expect(await kept()).toBe(5);
    expect(await stored(sql)).toEqual({});
  });

  it('does not bring back what is discarded meanwhile', async () => {
    const many = Array.from({ length: 30 }, (_, i) => device('x', { time: at(i) }));
    await Promise.all(many.map((message) => send(sender, message).expect(200)));
    const { data } = await list(sender, '?size=100');

    await Promise.all([
      retry(sender).expect(200),
      ...data.map(({ id }) => sender.delete(`/v1/uplinks/${id}`).expect(200)),
    ]);

    expect((await list(sender)).total_items).toBe(0);
  });

  it.each([
    [{ device_id: '' }, '/device_id', 'device_id must not be empty'],
    [{ device_id: 5 }, '/device_id', 'device_id must be a string: 5'],
    [{ device_id: 'a\0' }, '/device_id', 'device_id holds a NUL character'],
    [{ after: 'x' }, '/after', 'after must be the next of an earlier answer: "x"'],
    [{ deviceid: 'x' }, '/deviceid', 'unknown field: "deviceid"; did you mean device_id?'],
  ])('refuses %j', async (body, pointer, detail) => {
    expect((await retry(sender, body).expect(400)).body).toMatchObject({
      code: 'invalid_fields',
      errors: [{ pointer, detail }],
    });
  });

  it('refuses a body that is none, and parameters', async () => {
    expect((await send(sender, '[]', 'retry').expect(400)).body).toMatchObject({ code: 'malformed_body' });
    await sender.post('/v1/uplinks/retry').set('Content-Type', 'text/plain').send('{}').expect(415);
    await sender.post('/v1/uplinks/retry?device_id=x').expect(400);
  });
});

describe('discarding', () => {
  it('removes one, for good', async () => {
    const { uplink_id: id } = await outcomeOf(sender, device('device-b'));

    expect((await sender.delete(`/v1/uplinks/${id}`).expect(200)).body).toStrictEqual({
      id,
      object: 'uplink',
      deleted: true,
    });
    await sender.get(`/v1/uplinks/${id}`).expect(404);
    await sender.delete(`/v1/uplinks/${id}`).expect(404);
    await sender.delete('/v1/uplinks/%00').expect(404);
  });

  it('is for those that the key sees, and the scope that sends', async () => {
    const { uplink_id: id } = await outcomeOf(keys.theirs, device('device-b'));

    const statuses = [];
    for (const agent of [keys.ours, service.api, keys.theirs]) {
      statuses.push((await agent.delete(`/v1/uplinks/${id}`)).status);
    }

    expect(statuses).toEqual([404, 403, 200]);
  });
});

describe('its bounds', () => {
  it('are 30 days', async () => {
    await fill(1, 2, '30 days 1 minute');
    await fill(2, 1, '29 days 23 hours');

    expect([await dropped(), await kept()]).toEqual([2, 2]);
  });

  it('are 1,000 a device and customer, of which the newest stay', async () => {
    await fill(1, 1003);
    await sql.query(
      `insert into quarantined_uplinks select id || 'x', created_at, source, 'ours', device_id, sent_at, reason, payload
       from quarantined_uplinks`,
    );
    const { rows } = await sql.query<{ id: string }>(
      'select id from quarantined_uplinks where customer_id is null order by id limit 3',
    );

    expect([await dropped(), await kept()]).toEqual([6, 2000]);
    const gone = rows.map(({ id }) => id);
    expect((await sql.query('select from quarantined_uplinks where id = any ($1)', [gone])).rowCount).toBe(0);
  });

  it('are 10,000 a customer, and of those that no customer has, of what their devices leave', async () => {
    await fill(11, 950, '1 hour');
    await fill(1, 10_500, '1 hour', sql, 'ours');
    await fill(11, 900, '2 hours', sql, 'ours'); // one of them is the same device
    await fill(2, 900, '2 hours', sql, 'theirs');

    expect([await dropped(), await keptBy()]).toEqual([
      450 + 10_400,
      { ours: 10_000, none: 10_000, theirs: 1_800 },
    ]);
  });

  it('are 100,000 in all, and whoever has the most gives, also while the planner takes the table for empty', async () => {
    const client = await sql.connect();
    await client.query('begin');
    for (let n = 0; n < 10; n += 1) await fill(10, 990, '1 hour', client, `many ${n}`);
    await fill(2, 600, '2 hours', client, 'few');
    await sql.query('vacuum analyze quarantined_uplinks');
    await client.query('commit');
    client.release();

    expect([await dropped(), await kept()]).toEqual([200, 100_000]);
    const { few, ...many } = await keptBy();
    expect([few, new Set(Object.values(many))]).toEqual([1_200, new Set([9_880])]);
  });

  it('are 100 MiB a customer, and 1 GiB in all, of which the one with the most gives', async () => {
    const client = await sql.connect();
    try {
      // Each counts as one of 256 KiB; to write a gigabyte would take the better part of a minute.
      await client.query('begin');
      await client.query('alter table quarantined_uplinks alter bytes drop expression');
      await client.query('alter table quarantined_uplinks alter bytes set default 262144');
      for (let n = 0; n < 11; n += 1) await fill(1, 410, '1 hour', client, `many ${n}`);
      await fill(1, 21, '2 hours', client, 'few');

      expect([await dropped(client), await kept(client)]).toEqual([11 * 410 + 21 - 4096, 4096]);
      const { few, ...many } = await keptBy(client);
      expect([few, new Set(Object.values(many))]).toEqual([21, new Set([370, 371])]);

      await client.query(`delete from quarantined_uplinks where customer_id <> 'few'`);
      await fill(1, 410, '1 hour', client, 'ours');
      expect([await dropped(client), await keptBy(client)]).toEqual([10, { few: 21, ours: 400 }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('are kept by the background work, which counts what it drops', async () => {
    await fill(1, 1005);
    let counted = 0;
    const metrics = {
      countDelivery: () => undefined,
      countDroppedUplinks: (n: number) => void (counted += n),
      countMail: () => undefined,
    };
    const background = new Background(sql, loadConfig({}), createLogger('silent'), metrics);

    background.start();
    await until('they are dropped', async () => (await kept()) === 1000);
    await background.stop();

    expect(counted).toBe(5);
  });
});
