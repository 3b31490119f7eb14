// POST /v1/uplinks/chirpstack and /tts: what becomes of messages of network servers, and what they say about sensors.
import { describe, expect, it } from '@jest/globals';
import { deviceKey } from '../../src/tanks/device-key.js';
import { stored } from '../support/ingest.js';
import {
  AT,
  CALIBRATION,
  chirpStack,
  decoded,
  device,
  EUI,
  lastUplinkOf,
  later,
  outcomeOf,
  result,
  send,
  setSensor,
  startSensors,
  tts,
} from '../support/uplinks.js';

const service = await startSensors();
const { sql, manager: sender, ours, theirs } = service;

const inQuarantine = async (): Promise<number> =>
  (await sql.query<{ n: number }>('select count(*)::integer as n from quarantined_uplinks')).rows[0]?.n ?? 0;

const lastUplink = () => lastUplinkOf(sender);

const padded = (bytes: number) => {
  const message = JSON.stringify(chirpStack());
  return `${message}${' '.repeat(bytes - message.length)}`;
};

describe('an uplink', () => {
  it.each([
    ['chirpstack', chirpStack()],
    ['chirpstack?event=up', chirpStack()],
    ['tts', tts()],
  ])('of %s becomes a reading', async (address, message) => {
    const { body, headers } = await send(sender, message, address).expect(200);

    expect(body).toStrictEqual(result());
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['etag']).toBeUndefined();
    expect(await stored(sql)).toEqual({ [`a ${AT}`]: 50 });
    expect(await inQuarantine()).toBe(0);
  });

  it('is unchanged when it comes again, and stored when it says something else', async () => {
    await send(sender, chirpStack()).expect(200);

    expect(await outcomeOf(sender, chirpStack())).toMatchObject({
      outcome: 'unchanged',
      reason: null,
      fill_percentage: 50,
    });
    expect(await outcomeOf(sender, tts(), 'tts')).toMatchObject({ outcome: 'unchanged' });
    expect(await outcomeOf(sender, decoded({ distance: 600 }))).toMatchObject({
      outcome: 'stored',
      fill_percentage: 100,
    });
    expect(await stored(sql)).toEqual({ [`a ${AT}`]: 100 });
    const { body } = await sender.get('/v1/fleet/tanks/a').expect(200);
    expect(body).toMatchObject({ reported_at: AT, fill_percentage: 100 });
  });
});

describe('an uplink that cannot become a reading', () => {
  const future = new Date(Date.now() + 3_600_000).toISOString();

  it.each([
    ['unknown_device', null, device('70B3D54900000001')],
    ['unknown_device', null, device('device-gone')],
    ['unknown_device', null, device('Device-b')], // only an EUI is written in several ways
    ['ambiguous_device', null, device('00:00:00:00:00:00:00:0A')],
    ['no_sensor', 'b', device('device-b')],
    ['rejected', 'a', decoded({ distance: 1100, position: 'tilt' })],
    ['not_a_number', 'a', decoded({ distance: '3.6 V' })],
    ['in_the_future', 'a', chirpStack({ time: future })],
  ])('is kept whole: %s', async (reason, tank_id, message) => {
    const { body } = await send(sender, message).expect(200);
    const { uplink_id: id, created_at: at, device_id: deviceId } = body as Record<string, string>;

    expect(body).toStrictEqual({
      ...result({ outcome: 'quarantined', reason, tank_id, fill_percentage: null }),
      device_id: deviceId,
      created_at: at,
      uplink_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await stored(sql)).toEqual({});
    const { body: kept } = await sender.get(`/v1/uplinks/${id}`).expect(200);
    expect(kept).toEqual({
      id,
      object: 'uplink',
      created_at: expect.any(String),
      source: 'chirpstack',
      device_id: deviceId,
      reason,
      detail: null,
      topic: null,
      payload: message,
    });
    expect(Math.abs(Date.parse((kept as { created_at: string }).created_at) - Date.now())).toBeLessThan(
      600_000,
    );
  });

  it('is one entry when it comes again, with the same id', async () => {
    const first = await outcomeOf(sender, decoded({ distance: 'x' }));
    const again = await outcomeOf(sender, decoded({ distance: null, position: 'normal' }));
    const other = await outcomeOf(sender, decoded({ distance: 'x' }, { time: '2026-02-03T12:00:00.124Z' }));

    expect(again.uplink_id).toBe(first.uplink_id);
    expect(other.uplink_id).not.toBe(first.uplink_id);
    expect(await inQuarantine()).toBe(2);
    const { body } = await sender.get(`/v1/uplinks/${first.uplink_id}`).expect(200);
    expect(body).toMatchObject({ reason: 'no_value', payload: { object: { distance: null } } });
  });

  it('leaves the quarantine when it comes again and becomes a reading', async () => {
    await setSensor(sql, 'a', 'em400-udl', null);
    await send(sender, chirpStack()).expect(200);
    await setSensor(sql, 'a', 'em400-udl', CALIBRATION);

    expect(await outcomeOf(sender, chirpStack())).toMatchObject({ outcome: 'stored' });
    expect(await inQuarantine()).toBe(0);
  });

  it('may hold characters that the database cannot', async () => {
    const message = decoded(
      { distance: 'a\0b', note: '\ud800' },
      { rxInfo: [{ gatewayId: 'x\0', rssi: -5 }] },
    );

    expect(await outcomeOf(sender, message)).toMatchObject({
      outcome: 'quarantined',
      reason: 'not_a_number',
    });
    expect(await lastUplink()).toMatchObject({ gateway_id: null, rssi_dbm: -5 });
  });
});

describe('a body that is no message', () => {
  it.each([
    ['', 'The body is not JSON'],
    ['[]', 'The body must be one JSON object.'],
    [JSON.stringify(chirpStack({ deviceInfo: {} })), 'The uplink names no device'],
  ])('is refused: %s', async (text, detail) => {
    const { body } = await send(sender, text).expect(400);

    expect(body).toMatchObject({ code: 'malformed_body', detail: expect.stringContaining(detail) });
    expect(await inQuarantine()).toBe(0);
  });

  it('is refused beyond 64 KiB, and taken up to it', async () => {
    await send(sender, padded(65_536)).expect(200);

    expect((await send(sender, padded(65_537)).expect(413)).body).toMatchObject({ code: 'body_too_large' });
  });
});

describe('a dry run', () => {
  const dry = 'chirpstack?dry_run=true';

  it('says what would happen, and leaves no trace', async () => {
    expect((await send(sender, chirpStack(), dry).expect(200)).body).toStrictEqual(result());
    expect(await outcomeOf(sender, decoded({ distance: 9999 }), dry)).toMatchObject({
      outcome: 'quarantined',
      reason: 'out_of_range',
      uplink_id: null,
    });
    const status = { ...chirpStack(), batteryLevel: 5 };
    expect(await outcomeOf(sender, status, `${dry}&event=status`)).toMatchObject({
      outcome: 'ignored',
      tank_id: 'a',
    });

    expect(await stored(sql)).toEqual({});
    expect(await inQuarantine()).toBe(0);
    expect(await lastUplink()).toBeNull();
  });

  it('knows what is there already', async () => {
    await send(sender, chirpStack(), 'chirpstack?dry_run=false').expect(200);

    expect(await outcomeOf(sender, chirpStack(), dry)).toMatchObject({ outcome: 'unchanged' });
    expect(await outcomeOf(sender, decoded({ distance: 600 }), dry)).toMatchObject({ outcome: 'stored' });
  });
});

describe('an EUI', () => {
  it.each([
    '0016c001f000175a',
    '00-16-C0-01-F0-00-17-5A',
    '00:16:c0:01:f0:00:17:5a',
    '0016 C001 F000 175A',
    '0016.c001-f000175a',
  ])('is one device however it is written, as stored or as sent: %s', async (written) => {
    await sql.query(`update tanks set assigned_device_id = $1 where id = 'a'`, [written]);

    expect((await send(sender, chirpStack()).expect(200)).body).toStrictEqual(result());
    expect((await send(sender, device(written)).expect(200)).body).toMatchObject({
      outcome: 'unchanged',
      device_id: EUI,
    });
    const { body } = await sender
      .post('/v1/telemetry')
      .send({ readings: [{ device_id: EUI.toLowerCase(), created_at: AT, fill_percentage: 50 }] })
      .expect(200);
    expect(body).toMatchObject({ unchanged: 1 });
    expect((await sender.get('/v1/tanks/a').expect(200)).body).toMatchObject({
      assigned_device_id: written,
    });
  });

  it('is the same to the service and to the database', async () => {
    const ids = ['', 'x', EUI, EUI.toLowerCase(), '00-16-c0-01-f0-00-17-5a', '00:16:c0:01:f0:00:17:5a', '00-16:c0-01-f0-00-17-5a', '0016-c001-f000-175a', ' 0016 C001.F000:175A-', '0016 c001 f000 175a#ch-1', '0016 c001 f000 175a#', '#', 'gw-7#0016c001f000175a', '0016_c001_f000_175a', '0016\u00a0c001f000175a', `${EUI}\n`, '0016C001F000175G', 'ß', '０'.repeat(16)]; // prettier-ignore
    const { rows } = await sql.query<{ key: string }>(
      'select device_key(id) as key from unnest($1::text[]) with ordinality one (id, n) order by n',
      [ids],
    );

    expect(rows.map(({ key }) => key)).toEqual(ids.map(deviceKey));
  });
});

it('a key that is bound to a customer finds the devices of its own tanks only', async () => {
  expect(await outcomeOf(theirs, chirpStack())).toMatchObject({ reason: 'unknown_device', tank_id: null });
  expect(await outcomeOf(ours, device('000000000000000A'))).toMatchObject({ reason: 'unknown_device' });
  expect(await outcomeOf(theirs, device('000000000000000A'))).toMatchObject({ reason: 'ambiguous_device' });
  expect((await send(ours, chirpStack()).expect(200)).body).toStrictEqual(result());
});

describe('the last uplink of a sensor', () => {
  const SAID = {
    received_at: AT,
    battery_percent: 92,
    temperature_celsius: 25.7,
    rssi_dbm: -57,
    snr_db: 9,
    gateway_id: 'a84041ffff1e24b0',
    frame_counter: 17,
    level: 1100,
    fill_percentage: 50,
  };

  it('is null before the first, then what it said, by the best gateway', async () => {
    expect(await lastUplink()).toBeNull();

    await send(sender, chirpStack()).expect(200);

    expect(await lastUplink()).toStrictEqual(SAID);
  });

  it('is the newest by its time, in quarantine or not', async () => {
    await send(sender, chirpStack({ time: later(60), object: { distance: 9999 }, fCnt: 18 })).expect(200);
    await send(sender, chirpStack()).expect(200);

    expect(await lastUplink()).toMatchObject({
      received_at: later(60),
      frame_counter: 18,
      level: 9999,
      fill_percentage: null,
      temperature_celsius: null,
      battery_percent: 92,
    });
  });

  it('is never one in the future', async () => {
    const time = new Date(Date.now() + 3_600_000).toISOString();
    await send(sender, chirpStack()).expect(200);
    await send(sender, chirpStack({ time })).expect(200);
    await send(sender, decoded({ distance: 'far', battery: 3 }, { time })).expect(200);
    await send(sender, { ...chirpStack({ time }), batteryLevel: 1 }, 'chirpstack?event=status').expect(200);

    expect(await lastUplink()).toStrictEqual(SAID);
  });

  it('keeps the last battery that is known, by its time', async () => {
    await send(sender, chirpStack()).expect(200);
    await send(sender, decoded({ distance: 1000 }, { time: later(60) })).expect(200);
    expect(await lastUplink()).toMatchObject({ received_at: later(60), battery_percent: 92 });

    await send(sender, decoded({ distance: 1000, battery: 50 }, { time: later(-60) })).expect(200);
    expect(await lastUplink()).toMatchObject({ received_at: later(60), battery_percent: 92 });

    await send(sender, decoded({ distance: 1000, battery: 80 }, { time: later(30) })).expect(200);
    expect(await lastUplink()).toMatchObject({ received_at: later(60), battery_percent: 80 });
  });

  it('a status message changes its battery, and nothing else', async () => {
    const status = { deviceInfo: { devEui: EUI }, time: later(60), margin: 10, batteryLevel: 75.5 };
    await send(sender, chirpStack()).expect(200);

    const { body } = await send(sender, status, 'chirpstack?event=status').expect(200);

    expect(body).toMatchObject({ outcome: 'ignored', reason: 'status', tank_id: 'a', device_id: EUI });
    expect(await lastUplink()).toStrictEqual({ ...SAID, battery_percent: 75.5 });
    for (const more of [{ externalPowerSource: true }, { batteryLevelUnavailable: true }]) {
      await send(
        sender,
        { ...status, ...more, time: later(90), batteryLevel: 1 },
        'chirpstack?event=status',
      ).expect(200);
    }
    expect(await lastUplink()).toMatchObject({ battery_percent: 75.5 });
  });
});

describe('many at once', () => {
  it('the same message from several senders is one reading, and one entry', async () => {
    const same = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(sender, chirpStack())));
    const unknown = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(sender, device('nobody'))));

    expect(same.filter(({ outcome }) => outcome === 'stored')).toHaveLength(1);
    expect(same.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(9);
    expect(new Set(unknown.map(({ uplink_id: id }) => id)).size).toBe(1);
    expect(await inQuarantine()).toBe(1);
  });
});
