// Uplinks in quarantine: the list, one by its id, trying again, and discarding.
import { describe, expect, it } from '@jest/globals';
import type { List, Uplink } from 'tank-monitoring-client';
import type { Agent } from '../support/app.js';
import { aTank, insertTanks } from '../support/builders.js';
import { stored } from '../support/ingest.js';
import { problem } from '../support/problems.js';
import {
  AT,
  CALIBRATION,
  chirpStack,
  decoded,
  device,
  EUI,
  later as at,
  outcomeOf,
  send,
  setSensor,
  startSensors,
  tts,
} from '../support/uplinks.js';

const service = await startSensors();
const { sql, manager: sender, ours, theirs } = service;

const list = async (agent: Agent, query = '') =>
  (await agent.get(`/v1/uplinks${query}`).expect(200)).body as List<Uplink>;

const retry = (agent: Agent, body?: object) => agent.post('/v1/uplinks/retry').send(body);

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

const kept = async () =>
  (await sql.query<{ n: number }>('select count(*)::integer as n from quarantined_uplinks')).rows[0]?.n;

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

  it('shows a bound key what was sent with keys of its customer', async () => {
    await send(sender, device('x')).expect(200);
    const mine = await outcomeOf(ours, device('x'));
    const other = await outcomeOf(theirs, device('x'));

    expect((await list(ours)).data.map(({ id }) => id)).toEqual([mine.uplink_id]);
    expect((await list(sender)).total_items).toBe(3);
    await ours.get(`/v1/uplinks/${mine.uplink_id}`).expect(200);
    expect((await ours.get(`/v1/uplinks/${other.uplink_id}`).expect(404)).body).toEqual(
      problem(404, 'not_found', 'There is no uplink with this id.'),
    );
  });
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

  it('has the rights of the key that sent it, and sees what the key that tries sees', async () => {
    await send(theirs, chirpStack()).expect(200);
    await send(ours, device('device-c', { time: at(1) })).expect(200);
    await setSensor(sql, 'c', 'em400-udl', CALIBRATION);

    expect((await retry(ours).expect(200)).body).toStrictEqual(retried({ quarantined: 1 }));
    expect((await retry(sender).expect(200)).body).toStrictEqual(retried({ quarantined: 2 }));
    expect(await stored(sql)).toEqual({});

    await sql.query(`update tanks set owner_id = 'ours' where id = 'c'`);
    expect((await retry(theirs).expect(200)).body).toStrictEqual(retried({ quarantined: 1 }));
    expect((await retry(sender).expect(200)).body).toStrictEqual(retried({ stored: 1, quarantined: 1 }));
  });

  it.each([
    [{ device_id: '' }, '/device_id', 'device_id must not be empty'],
    [{ after: 'x' }, '/after', 'after must be the next of an earlier answer: "x"'],
    [{ deviceid: 'x' }, '/deviceid', 'unknown field: "deviceid"; did you mean device_id?'],
  ])('refuses %j', async (body, pointer, detail) => {
    expect((await retry(sender, body).expect(400)).body).toMatchObject({
      code: 'invalid_fields',
      errors: [{ pointer, detail }],
    });
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

  it('is for those that the key sees', async () => {
    const { uplink_id: id } = await outcomeOf(theirs, device('device-b'));

    await ours.delete(`/v1/uplinks/${id}`).expect(404);
    await theirs.delete(`/v1/uplinks/${id}`).expect(200);
    expect(await kept()).toBe(0);
  });
});
