// Messages of a broker, as they become uplinks: which topic is whose, what is kept of what is none, who may send.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AT, CALIBRATION, chirpStack, EUI, insertSensors, setSensor, tts } from '../support/uplinks.js';
import { createKey } from './support/fleet.js';
import { Mosquitto, type Publisher } from './support/mosquitto.js';
import { OwnPostgres } from './support/own-postgres.js';
import { freePort } from './support/ports.js';
import { metricsAt } from './support/requests.js';
import { ServiceProcess, startInVain, type Environment } from './support/service-process.js';
import { openSql } from './support/stage.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const mosquitto = await Mosquitto.start();
const sql = openSql(postgres.url);
await insertSensors(sql);
await sql.query(`
  insert into sensor_profiles (id, name, level_path, level_unit)
  values ('state', 'State', 'distance', 'mm'), ('number', 'Number', 'value', 'mm')`);
await setSensor(sql, 'b', 'state', CALIBRATION);
const key = await createKey(postgres.url, { scopes: ['read', 'telemetry:write'] });
const metricsPort = await freePort();
const environment: Environment = {
  DATABASE_URL: postgres.url,
  METRICS_PORT: String(metricsPort),
  MQTT_URL: mosquitto.url,
  MQTT_KEY: key,
  MQTT_TOPICS:
    'chirpstack=application/+/device/+/event/+,generic=tanks/+/state,generic=fixed,chirpstack=tanks/#,generic=#',
};
const UP = `application/7/device/${EUI}/event/up`;

let publisher: Publisher;
let service: ServiceProcess;
beforeAll(async () => {
  publisher = await mosquitto.publisher();
  await consume();
});

/** From now on the service is one that has begun to consume; the one before has ended. */
async function consume(others: Environment = {}): Promise<void> {
  await service?.stop();
  service = await ServiceProcess.start({ ...environment, ...others });
  await until('it consumes', async () => (await metric('mqtt_connected')) === 1);
}

const clear = () => sql.query('delete from quarantined_uplinks; delete from telemetry');

let before: number;

/** The sum over all labels. */
async function metric(name: string, labels = ''): Promise<number> {
  const lines = (await metricsAt(metricsPort))
    .split('\n')
    .filter((line) => line.startsWith(name) && line.includes(labels));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

const handled = (): Promise<number> => metric('mqtt_messages_total');

/** Returns when so many more messages were acknowledged. */
async function wait(messages: number): Promise<void> {
  await until(`${messages} messages are handled`, async () => (await handled()) - before === messages);
}

const rowsOf = async (statement: string) => (await sql.query<object>(statement)).rows;
const readings = () =>
  rowsOf(`
    select tank.id, fill_percentage as fill, telemetry.created_at from telemetry join tanks tank on tank.key = tank_key
    order by telemetry.created_at, tank.id`);
const quarantine = () =>
  rowsOf(
    'select source, device_id as device, reason, payload from quarantined_uplinks order by created_at, id',
  );

const malformed = (source: string, device: string, text: string) => ({
  source,
  device,
  reason: 'malformed',
  payload: JSON.stringify({ text }),
});

describe('a message', () => {
  beforeEach(async () => {
    await clear();
    before = await handled();
  });

  it('of ChirpStack becomes a reading, a second delivery changes nothing', async () => {
    await publisher.publish(UP, chirpStack());
    await publisher.publish(UP, chirpStack());
    await wait(2);

    expect(await readings()).toEqual([{ id: 'a', fill: 50, created_at: new Date(AT) }]);
    expect(await metric('mqtt_messages_total', 'source="chirpstack",outcome="unchanged"')).toBe(1);
    expect(await metric('uplinks_total', 'source="chirpstack",outcome="unchanged"')).toBe(1);
  });

  it("that names another device than its topic is kept, and writes nobody's tank", async () => {
    const theirs = { device_id: 'device-b', payload: { distance: 1100 } };
    const other = 'application/7/device/0016C001F000175B/event';
    await publisher.publish('tanks/mine/state', theirs);
    await publisher.publish(`${other}/up`, chirpStack());
    await publisher.publish(`${other}/status`, chirpStack({ batteryLevel: 3 }));
    await publisher.publish(UP.replace(EUI, '00-16-c0-01-f0-00-17-5a'), chirpStack()); // the same, spelt otherwise
    await wait(4);

    expect(await readings()).toMatchObject([{ id: 'a' }]);
    expect(await quarantine()).toEqual([
      malformed('generic', 'mine', JSON.stringify(theirs)),
      malformed('chirpstack', '0016C001F000175B', JSON.stringify(chirpStack())),
      malformed('chirpstack', '0016C001F000175B', JSON.stringify(chirpStack({ batteryLevel: 3 }))),
    ]);
    expect(await rowsOf('select from tank_sensors where battery_percent = 3')).toEqual([]);
  });

  it('of a device itself names it in its topic, and is the payload', async () => {
    await publisher.publish('tanks/device-b/state', { distance: 1100, time: '2026-02-03T12:00:00Z' });
    await publisher.publish('fixed', { device_id: 'device-b', payload: { distance: 850 }, time: 1770120060 });
    await publisher.publish('fixed', { device_id: 'device-b', payload: 7, distance: 600 });
    await wait(3);

    const [first, second, third] = await readings();
    expect([first, second]).toEqual([
      { id: 'b', fill: 50, created_at: new Date('2026-02-03T12:00:00Z') },
      { id: 'b', fill: 75, created_at: new Date('2026-02-03T12:01:00Z') },
    ]);
    expect(third).toMatchObject({ id: 'b', fill: 100 });
  });

  it('that can never become a reading is kept, each for itself, and left alone by a retry', async () => {
    const deviceTopic = 'tanks/device-b/state';
    const poison: [topic: string, payload: string | Buffer, kept?: string][] = [
      [UP, 'no JSON'],
      [UP, '{}'],
      [UP, JSON.stringify({ deviceInfo: { devEui: EUI } })],
      [deviceTopic, '"text"'],
      [deviceTopic, '{"time":"yesterday","distance":1}'],
      ['fixed', '{"distance":1}'],
      ['fixed', Buffer.from([0xff, 0x00, 0x41]), '\uFFFD\uFFFDA'],
      ['fixed', '['.repeat(60_000)],
      ['fixed', 'x'.repeat(70_000), 'x'.repeat(65_536)],
      ['fixed', ''],
    ];
    for (const [topic, payload] of poison) await publisher.publish(topic, payload);
    await wait(poison.length);

    const senders: Record<string, string[]> = {
      [UP]: ['chirpstack', EUI],
      [deviceTopic]: ['generic', 'device-b'],
    };
    expect(await quarantine()).toEqual(
      poison.map(([topic, payload, kept = String(payload)]) => {
        const [source = 'generic', device = ''] = senders[topic] ?? [];
        return malformed(source, device, kept);
      }),
    );
    const retried = await service.send(key, 'POST', '/v1/uplinks/retry', {});
    expect(JSON.parse(retried.body)).toMatchObject({ quarantined: 0, remaining: 0, next: null });
  });

  it('of a broker itself is none, also where every topic is asked for', async () => {
    await publisher.publish('$SYS/pretended', '{"distance":1}').catch(() => undefined);
    await publisher.publish('$own/tanks', '{"distance":1}');
    await publisher.publish('any/ "odd\' \u{1F6E2}/€', { device_id: 'odd', payload: {} });
    await wait(1);

    expect(await quarantine()).toMatchObject([{ device: 'odd', reason: 'unknown_device' }]);
  });

  it('is logged with the key that it counts as sent with, and without what it holds', async () => {
    await publisher.publish(UP, chirpStack());
    await publisher.publish('fixed', 'a secret');
    await wait(2);

    const prefix = key.split('.', 1)[0];
    const lines = async () =>
      (await service.logLines())
        .slice(-2)
        .toSorted((a, b) => (String(a['mqtt']) < String(b['mqtt']) ? -1 : 1));
    await until('both are logged', async () => (await lines())[0]?.['outcome'] === 'stored');
    expect(await lines()).toMatchObject([
      { mqtt: 'chirpstack', outcome: 'stored', key: prefix },
      { mqtt: 'generic', outcome: 'quarantined', key: prefix },
    ]);
    expect(await service.output()).not.toMatch(/a secret|distance|0016c001/i);
  });
});

it('a start ends when the key is none, lacks the scope, or has ended', async () => {
  const reader = await createKey(postgres.url, { scopes: ['read'] });
  const expiresAt = new Date(Date.now() - 1000);
  const ended = await createKey(postgres.url, { scopes: ['telemetry:write'], expiresAt });
  for (const [MQTT_KEY, words] of [
    [reader, 'MQTT_KEY lacks the scope telemetry:write: it has read'],
    [ended, 'MQTT_KEY is unknown, has expired'],
    [`tms_abcdefgh.${'x'.repeat(43)}`, 'MQTT_KEY is unknown, has expired or was revoked'],
  ] as const) {
    const { code, stderr } = await startInVain({ ...environment, METRICS_PORT: '0', MQTT_KEY });
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
  }
});

it('what was retained does not come, and what comes as retained is ignored', async () => {
  before = await handled();
  for (let n = 0; n < 50; n += 1)
    await publisher.publish(`tanks/${n}/state`, { distance: n }, { retain: true });
  await wait(50); // as they are published

  for (const protocol of ['', '?protocol=3.1.1']) {
    await service.stop();
    await clear();
    await consume({ MQTT_URL: mosquitto.url + protocol });
    await publisher.publish('tanks/last/state', { distance: 1 });
    await until('the last one is kept', async () => (await quarantine()).length > 0);
    expect(await quarantine()).toMatchObject([{ device: 'last' }]);
    expect(await handled()).toBe(protocol === '' ? 1 : 51);
  }
});

it('a key that is bound to a customer sends for its tanks only; one that is revoked sends no more', async () => {
  await clear();
  const bound = await createKey(postgres.url, { scopes: ['telemetry:write'], customerId: 'theirs' });
  await consume({ MQTT_KEY: bound });
  await publisher.publish(UP, chirpStack());
  await until('it is kept', async () => (await quarantine()).length === 1);
  expect(await quarantine()).toMatchObject([{ device: EUI, reason: 'unknown_device' }]);

  await sql.query('update api_keys set revoked_at = now() where prefix = $1', [bound.split('.', 1)[0]]);
  const words = 'nothing is taken, since MQTT_KEY';
  await until('it says so', async () => (await service.output()).includes(words));
  await until('it consumes no more', async () => (await metric('mqtt_connected')) === 0);
  await publisher.publish(UP, chirpStack({ time: '2026-02-03T14:00:00Z' }));
  expect((await service.ready()).status).toBe(200);
  await service.stop();
  expect(await quarantine()).toHaveLength(1);

  await consume();
  await until('what was left is taken', async () => (await readings()).length === 1);
});

describe('sources', () => {
  let manager: string;

  beforeAll(async () => {
    await clear();
    manager = await createKey(postgres.url, { scopes: ['read', 'telemetry:write', 'tanks:write'] });
    await sql.query(`
      insert into sources (id, name, rules)
      select 'mine', 'Mine', rules || '{"device": null, "payload": null}' from sources where id = 'loriot'`);
    await consume({ MQTT_TOPICS: 'tasmota=tele/+/SENSOR,mine=mine/+/level,tts=v3/+/devices/+/up' });
  });

  it('read what devices publish: JSON, numbers with and without a unit; states are ignored, the rest is kept', async () => {
    await setSensor(sql, 'b', 'number', CALIBRATION);
    before = await handled();
    await publisher.publish('mine/device-b/level', '110,0 cm');
    for (const state of ['unavailable', 'Unknown', 'ONLINE', 'offline', ''])
      await publisher.publish('mine/device-b/level', state);
    await publisher.publish('mine/device-b/level', 'hello');
    await publisher.publish('tele/device-b/SENSOR', { value: 850 });
    await publisher.publish('v3/app@tenant/devices/other/up', tts());
    await publisher.publish('v3/app@tenant/devices/tank-1/up', tts());
    await wait(10);

    expect((await readings()).map((reading) => ({ ...reading, created_at: undefined }))).toEqual([
      { id: 'a', fill: 50 },
      { id: 'b', fill: 50 },
      { id: 'b', fill: 75 },
    ]);
    expect(await quarantine()).toEqual([
      malformed('mine', 'device-b', 'hello'),
      malformed('tts', 'other', JSON.stringify(tts())),
    ]);
    expect(await rowsOf('select topic, detail from quarantined_uplinks order by created_at, id')).toEqual([
      { topic: 'mine/device-b/level', detail: expect.stringContaining('neither JSON nor a number') },
      { topic: 'v3/app@tenant/devices/other/up', detail: null },
    ]);
    expect(await metric('uplinks_total', 'source="custom",outcome="stored"')).toBe(1);
    expect(await metric('mqtt_messages_total', 'source="custom",outcome="ignored"')).toBe(5);
  });

  it('act at once when they are changed, and what comes by a deleted one is kept', async () => {
    await clear();
    before = await handled();
    await publisher.publish('mine/x/level', { id: 'device-b', value: 1100 });
    await wait(1);
    expect(await quarantine()).toMatchObject([{ device: 'x', reason: 'unknown_device' }]);

    const changed = { name: 'Mine', device: { path: 'id' } };
    expect(await service.send(manager, 'PUT', '/v1/sources/mine', changed)).toMatchObject({ status: 200 });
    await publisher.publish('mine/x/level', { id: 'device-b', value: 1100 });
    await wait(2);
    expect(await readings()).toMatchObject([{ id: 'b', fill: 50 }]);

    await service.send(manager, 'DELETE', '/v1/sources/mine', {});
    await publisher.publish('mine/x/level', { id: 'device-b', value: 1100 });
    await wait(3);
    expect(await quarantine()).toMatchObject([
      { reason: 'unknown_device' },
      { source: 'mine', reason: 'malformed' },
    ]);
  });

  it('that are none, or that the key does not see, end the start, each named', async () => {
    await sql.query(`
      insert into sources (id, name, customer_id, rules) select 'theirs', 'Theirs', 'theirs', rules from sources where id = 'loriot'`);
    const bound = await createKey(postgres.url, { scopes: ['telemetry:write'], customerId: 'ours' });
    const MQTT_TOPICS = 'loriot=a,nobody=b,theirs=c';
    const strange = { METRICS_PORT: '0', MQTT_KEY: bound, MQTT_TOPICS };
    const { code, stderr } = await startInVain({ ...environment, ...strange });

    expect(code).toBe(1);
    expect(stderr).toContain('MQTT_TOPICS names "nobody"');
    expect(stderr).toContain('MQTT_TOPICS names "theirs"');
    expect(stderr).not.toContain('"loriot"');
  });
});
