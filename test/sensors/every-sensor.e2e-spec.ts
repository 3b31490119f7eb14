// Any sensor: messages of any sender at /v1/uplinks/generic, and profiles that scale, ignore, and read a history.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { stored } from '../support/ingest.js';
import { without } from '../support/lines.js';
import {
  AT,
  CALIBRATION,
  EUI,
  faultsOf,
  lastUplinkOf,
  later as time,
  outcomeOf,
  result,
  setSensor,
  startSensors,
} from '../support/uplinks.js';

const { sql, manager } = await startSensors();

const generic = (more: object = {}): object => ({
  device_id: EUI,
  time: AT,
  payload: { distance: 1100, battery: 92, temperature: 25.7 },
  ...more,
});
const sendGeneric = (message: unknown) => outcomeOf(manager, message, 'generic');
const lastUplink = () => lastUplinkOf(manager);
const waiting = async (): Promise<object[]> =>
  ((await manager.get('/v1/uplinks').expect(200)).body as { data: object[] }).data;

describe('a message of any sender', () => {
  it('becomes a reading, and says what it knows of the sensor', async () => {
    const message = generic({ battery_percent: 87, rssi_dbm: -97, snr_db: 4.5, firmware: '1.2' });

    expect(await sendGeneric(message)).toStrictEqual(result());
    expect(await sendGeneric(message)).toStrictEqual(result({ outcome: 'unchanged' }));
    expect(await stored(sql)).toEqual({ [`a ${AT}`]: 50 });
    expect(await lastUplink()).toStrictEqual({
      received_at: AT,
      battery_percent: 87,
      temperature_celsius: 25.7,
      rssi_dbm: -97,
      snr_db: 4.5,
      gateway_id: null,
      frame_counter: null,
      level: 1100,
      fill_percentage: 50,
    });
  });

  it('waits in quarantine, and keeps the time at which it arrived when it is tried again', async () => {
    const message = { device_id: 'device-b', payload: { distance: 1100 } };
    const { uplink_id: id, ...kept } = await sendGeneric(message);
    const { created_at: at } = kept as unknown as { created_at: string };

    expect(kept).toMatchObject({ outcome: 'quarantined', reason: 'no_sensor', history: null });
    const inList = { id, source: 'generic', device_id: 'device-b', reason: 'no_sensor' };
    expect(await waiting()).toMatchObject([inList]);
    await setSensor(sql, 'b', 'em400-udl', CALIBRATION);
    await manager.post('/v1/uplinks/retry').send({}).expect(200);
    expect(await stored(sql)).toEqual({ [`b ${at}`]: 50 });
    expect(await waiting()).toEqual([]);
  });
});

const PROBE = {
  name: 'Pressure probe, 4 to 20 mA',
  level: { path: 'current', unit: 'raw', factor: 0.001, offset: 0 },
  battery: { path: 'volts', factor: 0.001, empty: 2.5, full: 3.6 },
  temperature: { path: 'temp', factor: 0.1 },
  reject_when: [
    { path: 'current', below: 3600 },
    { path: 'current', above: 21000 },
  ],
  ignore_when: [{ path: 'current', absent: true }],
  history: { path: 'log', time: 't', level: 'c' },
};
const shown = (more: object = {}): Record<string, unknown> => ({
  id: 'my-probe',
  object: 'sensor_profile',
  created_at: expect.any(String),
  updated_at: expect.any(String),
  ...PROBE,
  ...more,
});
const putProbe = (more: object = {}) =>
  manager.put('/v1/sensor_profiles/my-probe').send({ ...PROBE, ...more });
const patchProbe = (body: object) => manager.patch('/v1/sensor_profiles/my-probe').send(body);

/** Why a change is refused. */
const faults = async (answer: ReturnType<typeof putProbe>) => faultsOf((await answer.expect(400)).body);

describe('a profile that says more', () => {
  it('is patched field by field; null takes away', async () => {
    await putProbe().expect(201);

    const patch = {
      level: { factor: null, offset: 1.5 },
      battery: { empty: null, full: null },
      temperature: { path: 't' },
      ignore_when: null,
      history: { time: 'at' },
    };
    expect((await patchProbe(patch).expect(200)).body).toStrictEqual(
      without(
        shown({
          level: { path: 'current', unit: 'raw', offset: 1.5 },
          battery: { path: 'volts', factor: 0.001 },
          temperature: { path: 't', factor: 0.1 },
          history: { path: 'log', time: 'at', level: 'c' },
        }),
        'ignore_when',
      ),
    );
    expect((await patchProbe({ history: null, ignore_when: [] }).expect(200)).body).toMatchObject({
      ignore_when: [],
    });
    expect(await faults(patchProbe({ battery: { empty: 1 }, history: null }))).toEqual({
      '/battery/full': 'battery.full is missing',
    });
    expect(await faults(patchProbe({ history: { time: 'at' } }))).toEqual({
      '/history/path': 'history.path is missing',
      '/history/level': 'history.level is missing',
    });
    const unknown = await faults(patchProbe({ temperature: { empty: 1 }, level: { unit: null } }));
    expect(Object.keys(unknown)).toEqual(['/level/unit', '/temperature/empty']);
  });

  it('names every mistake at once', async () => {
    const mistakes = putProbe({
      level: { path: 'a', unit: 'raw', factor: 0, offset: '1', faktor: 1 },
      battery: { path: 'b', empty: 3 },
      temperature: { path: 'c', factor: null, full: 1 },
      reject_when: [
        { path: 'a' },
        { path: 'a', below: 1, above: 2 },
        { path: 'a', equals: 1, absent: true },
        { path: 'a', absent: false },
        { path: 'a', below: '1' },
      ],
      ignore_when: Array.from({ length: 21 }, () => ({ path: 'a', absent: true })),
      history: { path: 'log', time: '' },
    });

    const alone = 'must be the only one of equals, below, above, absent';
    expect(await faults(mistakes)).toEqual({
      '/level/factor': 'level.factor must not be 0',
      '/level/offset': 'level.offset must be a number: "1"',
      '/battery/full': 'battery.full is missing',
      '/temperature/factor': 'temperature.factor must be a number: null',
      '/reject_when/0/equals': 'reject_when.0.equals is missing',
      '/reject_when/1/below': `reject_when.1.below ${alone}`,
      '/reject_when/1/above': `reject_when.1.above ${alone}`,
      '/reject_when/2/equals': `reject_when.2.equals ${alone}`,
      '/reject_when/2/absent': `reject_when.2.absent ${alone}`,
      '/reject_when/3/absent': 'reject_when.3.absent must be true: false',
      '/reject_when/4/below': 'reject_when.4.below must be a number: "1"',
      '/ignore_when': 'ignore_when must be an array of at most 20 objects',
      '/history/time': 'history.time must not be empty',
      '/history/level': 'history.level is missing',
      '/level/faktor': expect.stringContaining('did you mean level.factor?'),
      '/temperature/full': expect.stringContaining('unknown field'),
    });
    expect(await faults(putProbe({ battery: { path: 'b', empty: 3, full: 3 } }))).toEqual({
      '/battery/full': 'battery.full must differ from empty: 3',
    });
  });
});

const probe = (payload: object, more: object = {}) => generic({ payload, ...more });

describe('a probe', () => {
  const MILLIAMPERES = { empty: 4, full: 20, unit: 'raw', shape: 'upright' };
  const putSensor = () =>
    manager.put('/v1/tanks/a/sensor').send({ profile_id: 'my-probe', calibration: MILLIAMPERES });
  beforeEach(async () => {
    await putProbe().expect(201);
    await putSensor().expect(200);
  });

  it('may send what is no measurement: only battery and signal are noted, and a retry drops it', async () => {
    await manager.delete('/v1/tanks/a/sensor').expect(200);
    const heartbeat = probe({ volts: 3050, log: [{ t: time(-60), c: 4000 }] }, { rssi_dbm: -80 });
    expect(await sendGeneric(heartbeat)).toMatchObject({ outcome: 'quarantined', reason: 'no_sensor' });
    await putSensor().expect(201);

    const { body: retried } = await manager.post('/v1/uplinks/retry').send({}).expect(200);
    expect(retried).toMatchObject({ stored: 0, quarantined: 0, remaining: 0 });
    expect(await waiting()).toEqual([]);
    const ignored = { outcome: 'ignored', reason: 'not_a_measurement', fill_percentage: null };
    expect(await sendGeneric(heartbeat)).toStrictEqual(result(ignored));
    expect(await outcomeOf(manager, heartbeat, 'generic?dry_run=true')).toStrictEqual(result(ignored));
    expect(await stored(sql)).toEqual({});
    expect(await lastUplink()).toMatchObject({
      received_at: AT,
      battery_percent: 50,
      rssi_dbm: -80,
      fill_percentage: null,
    });
  });

  it('tells its history: each entry is a reading of its own time, in one transaction', async () => {
    const log = [
      { t: time(-60), c: 8000 },
      { t: Date.parse(time(-30)) / 1000, c: 4000 },
      { t: time(0), c: 20000 }, // the time of the uplink, whose own level counts
      { t: time(-90), c: 40000 },
    ];
    const message = probe({ current: 12000, log });

    expect(await outcomeOf(manager, message, 'generic?dry_run=true')).toStrictEqual(
      result({ history: { stored: 2, unchanged: 0, skipped: 2 } }),
    );
    expect(await stored(sql)).toEqual({});
    expect(await sendGeneric(message)).toStrictEqual(
      result({ history: { stored: 2, unchanged: 0, skipped: 2 } }),
    );
    expect(await stored(sql)).toEqual({ [`a ${AT}`]: 50, [`a ${time(-60)}`]: 25, [`a ${time(-30)}`]: 0 });
    expect(await lastUplink()).toMatchObject({ received_at: AT, level: 12, fill_percentage: 50 });

    const again = probe({ current: 12000, log: [...log.slice(0, 2), { t: time(-10), c: 4000 }] });
    const expected = result({ outcome: 'unchanged', history: { stored: 1, unchanged: 2, skipped: 0 } });
    expect(await outcomeOf(manager, again, 'generic?dry_run=true')).toStrictEqual(expected);
    expect(await sendGeneric(again)).toStrictEqual(expected);
  });

  it('without a level of its own is stored by its history, and a retry stores it, too', async () => {
    await patchProbe({ ignore_when: null }).expect(200);
    const log = { log: [{ t: time(-60), c: 8000 }] };
    await manager.delete('/v1/tanks/a/sensor').expect(200);
    expect(await sendGeneric(probe(log))).toMatchObject({ outcome: 'quarantined', history: null });
    await putSensor().expect(201);

    expect((await manager.post('/v1/uplinks/retry').send({}).expect(200)).body).toMatchObject({ stored: 1 });
    expect(await stored(sql)).toEqual({ [`a ${time(-60)}`]: 25 });
    expect(await waiting()).toEqual([]);
    const nothing = { fill_percentage: null, history: { stored: 0, unchanged: 1, skipped: 0 } };
    expect(await sendGeneric(probe(log))).toStrictEqual(result({ ...nothing, outcome: 'unchanged' }));
    expect(await lastUplink()).toMatchObject({ received_at: AT, level: null, fill_percentage: null });
    expect(await sendGeneric(probe({ log: [{ t: 5, c: 8000 }] }))).toMatchObject({
      outcome: 'quarantined',
      reason: 'no_value',
    });
    expect(await sendGeneric(probe({ ...log, current: 1 }))).toMatchObject({
      reason: 'rejected',
      history: null,
    });
  });
});
