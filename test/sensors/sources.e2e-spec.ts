// Sources: what any sender sends becomes readings, with what comes with the service and with one's own; and nothing unknown is thrown away.
import { describe, expect, it } from '@jest/globals';
import type { List, SourceResult as Result } from 'tank-monitoring-client';
import { Reads } from '../../src/platform/database/reads.js';
import { SourceCatalog } from '../../src/sensors/source-catalog.js';
import type { Agent } from '../support/app.js';
import { aTank, insertTanks } from '../support/builders.js';
import { stored } from '../support/ingest.js';
import { problem } from '../support/problems.js';
import {
  AT,
  CALIBRATION,
  EUI,
  faultsOf,
  lastUplinkOf,
  later,
  result,
  setSensor,
  startSensors,
} from '../support/uplinks.js';

const service = await startSensors();
const { sql, manager, ours, theirs } = service;

const NAMED = {
  name: 'My gateway',
  device: { path: 'id' },
  time: { path: 't' },
  payload: [{ path: 'p', as: 'json' }],
};
const put = (id: string, source: object, agent = manager) => agent.put(`/v1/sources/${id}`).send(source);
const post = (id: string, message: unknown, agent = manager, more = '') =>
  agent
    .post(`/v1/uplinks/sources/${id}${more}`)
    .set('Content-Type', 'application/json')
    .serialize((value: unknown) => value as string)
    .send(typeof message === 'string' ? message : JSON.stringify(message));
const outcome = async (...sent: Parameters<typeof post>): Promise<Result> =>
  (await post(...sent).expect(200)).body as Result;
const outcomes = async (...sent: Parameters<typeof post>): Promise<Result[]> =>
  ((await post(...sent).expect(200)).body as List<Result>).data;
const waiting = async (agent = manager) =>
  ((await agent.get('/v1/uplinks').expect(200)).body as List<Record<string, unknown>>).data;
const ms = Date.parse(AT);
const loriot = (data: string) => outcome('loriot', { cmd: 'rx', EUI, ts: ms, data });
const message = (more: object = {}) => ({ id: EUI, t: AT, p: { distance: 1100 }, ...more });

const EARLY = '2026-02-03T12:00:00.000Z';
const THINGPARK = {
  Time: '2026-02-03T13:00:00.123+01:00',
  DevEUI: EUI,
  LrrRSSI: '-38.000000',
  LrrSNR: '8.000000',
};
const HELIUM = { dev_eui: EUI, hotspots: [{ rssi: -103, snr: 6.8 }], payload: 'AQI=' };
const TASMOTA = { Time: '2019-01-01T22:42:35', SR04: { Distance: 16.754 } };
const SHELLY = { ts: ms / 1000, 'voltmeter:100': { voltage: 4.321 } };
const ZIGBEE = { battery: 88, last_seen: AT, linkquality: 142, level: 61 };
const LEVEL = { distance: 1100 };
const NOTHING = { device_id: null, created_at: null, time: null, payload: null };
const DECODED = { DevEUI_uplink: { ...THINGPARK, payload_hex: '00', payload: LEVEL } };
/** As the vendors document them, shortened; what a profile gets of each, and when it was; by which topic. */
const MESSAGES: readonly [id: string, sent: unknown, expected: object, topic?: string][] = [
  [
    'loriot',
    {
      cmd: 'gw',
      EUI: EUI.toLowerCase(),
      ts: ms,
      bat: 255,
      data: '0102AAbb',
      gws: [{ rssi: -112, snr: -5.5 }],
    },
    { device_id: EUI, created_at: AT, time: 'message', payload: { bytes: '0102aabb' } },
  ],
  [
    'thingpark',
    { DevEUI_uplink: { ...THINGPARK, FPort: '1', payload_hex: '0027bd00' } },
    { device_id: EUI, created_at: AT, time: 'message', payload: { bytes: '0027bd00' } },
  ],
  ['thingpark', DECODED, { created_at: AT, payload: LEVEL, outcome: 'stored', fill_percentage: 50 }],
  [
    'helium',
    { ...HELIUM, decoded: { payload: LEVEL, status: 'success' }, reported_at: ms },
    { device_id: EUI, created_at: AT, payload: LEVEL, outcome: 'stored' },
  ],
  ['helium', { ...HELIUM, reported_at: 1770120000 }, { created_at: EARLY, payload: { bytes: '0102' } }],
  [
    'milesight',
    { devEUI: EUI.toLowerCase(), time: '2026-02-03T12:00:00.123747Z', fPort: 85, data: 'AXVcA4JMBA==' },
    { device_id: EUI, created_at: AT, payload: { bytes: '01755c03824c04' } },
  ],
  [
    'sigfox',
    { device: '1D3B2A', time: '1770120000', data: '0a1f', rssi: '-121.00', snr: '11.20', seqNumber: '12' },
    { device_id: '1D3B2A', created_at: EARLY, time: 'message', payload: { bytes: '0a1f' } },
  ],
  ['tasmota', TASMOTA, { device_id: 'tank-9', time: 'arrival', payload: TASMOTA }, 'tele/tank-9/SENSOR'],
  ['shelly', 3.21, { device_id: 'shellyuni-1', payload: { value: 3.21 } }, 'shellies/shellyuni-1/adc/0'],
  [
    'shelly-rpc',
    { src: 'shellyplus-1', method: 'NotifyStatus', params: SHELLY },
    { device_id: 'shellyplus-1', created_at: AT, payload: SHELLY },
    'shellyplus-1/events/rpc',
  ],
  [
    'shelly-rpc',
    { src: 'shellyplus-1', method: 'NotifyEvent', params: { ts: 1.5, events: [] } },
    { ...NOTHING, outcome: 'ignored', reason: 'not_a_measurement' },
    'shellyplus-1/events/rpc',
  ],
  ['zigbee2mqtt', ZIGBEE, { device_id: 'oil tank', created_at: AT, payload: ZIGBEE }, 'zigbee2mqtt/oil tank'],
];

describe('a source that comes with the service', () => {
  it.each(MESSAGES)('%s reads what its sender sends: %j', async (...row) => {
    const [id, sent, expected, topic] = row;
    const { body: source } = await manager.get(`/v1/sources/${id}`).expect(200);

    const asked = { source, message: sent, topic };
    const { body } = await manager.post('/v1/sources/test').send(asked).expect(200);

    expect(body).toMatchObject(expected);
    expect((body as Result).detail).not.toBe('');
  });

  it('reads where a path of 20 steps leads, within messages where another one leads', async () => {
    const deep = (steps: number, value: unknown): unknown =>
      steps === 0 ? value : { a: deep(steps - 1, value) };
    const path = Array.from({ length: 20 }, () => 'a').join('.');
    const source = { name: 'Deep', messages: { path }, device: { path } };
    const sent = deep(20, [deep(20, 'tank-20')]);

    const { body } = await manager.post('/v1/sources/test').send({ source, message: sent }).expect(200);
    expect(body).toMatchObject({ data: [{ device_id: 'tank-20' }] });
  });

  it('notes battery and signal', async () => {
    await outcome('thingpark', DECODED);
    expect(await lastUplinkOf(manager)).toMatchObject({ rssi_dbm: -38, snr_db: 8, battery_percent: null });
  });

  it('is changed by nobody, and its id is taken', async () => {
    const builtIn = problem(
      409,
      'built_in',
      'This source came with the service. Put a copy under another id, and change that.',
    );

    expect((await put('loriot', { name: 'Mine' }).expect(409)).body).toEqual(builtIn);
    expect((await manager.patch('/v1/sources/loriot').send({ name: 'x' }).expect(409)).body).toEqual(builtIn);
    expect((await manager.delete('/v1/sources/loriot').expect(409)).body).toEqual(builtIn);
    await put('loriot', { name: 'Mine' }, ours).expect(403);
    for (const id of ['chirpstack', 'tts', 'generic']) {
      expect((await put(id, { name: 'Mine' }).expect(409)).body).toMatchObject({ code: 'id_taken' });
      await manager.get(`/v1/sources/${id}`).expect(404);
    }
    const { body } = await manager.get('/v1/sources').expect(200);
    expect(body).toMatchObject({ total_items: 9 });
  });
});

const ids = async (agent: Agent) =>
  ((await agent.get('/v1/sources').expect(200)).body as List<{ id: string; built_in: boolean }>).data
    .filter(({ built_in: isBuiltIn }) => !isBuiltIn)
    .map(({ id }) => id);

describe('a source of one’s own', () => {
  it('is put, shown, patched and deleted', async () => {
    const whole = {
      ...NAMED,
      messages: { path: '' },
      device: { path: 'id', topic: 2 },
      time: { path: 't', time_zone: 'Europe/Vienna' },
      channels: [{ name: '1', path: 'ch.0' }],
      battery_percent: { path: 'b' },
      rssi_dbm: { path: 'r' },
      snr_db: { path: 's' },
      ignore_when: [{ path: 'x', absent: true }],
    };
    const { body: created } = await put('my.gate-way_1', whole).expect(201);
    expect(created).toEqual({
      id: 'my.gate-way_1',
      object: 'source',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      built_in: false,
      customer_id: null,
      ...whole,
    });
    await put('my.gate-way_1', created as object).expect(200, created as object);
    const { body: patched } = await manager
      .patch('/v1/sources/my.gate-way_1')
      .send({ time: { time_zone: null }, channels: null, device: { topic: null }, ignore_when: null })
      .expect(200);
    expect(patched).toMatchObject({
      time: { path: 't', time_zone: 'UTC' },
      channels: null,
      device: { path: 'id' },
      ignore_when: [],
    });
    const { body: activity } = await service.api.get('/v1/activity?object_id=my.gate-way_1').expect(200);
    expect((activity as List<object>).data).toMatchObject([
      { operation: 'update', object_id: 'my.gate-way_1', object_name: 'My gateway' },
      { operation: 'create', object_id: 'my.gate-way_1' },
    ]);
    await manager
      .delete('/v1/sources/my.gate-way_1')
      .expect(200, { id: 'my.gate-way_1', object: 'source', deleted: true });
    await manager.get('/v1/sources/my.gate-way_1').expect(404);
    await manager.delete('/v1/sources/my.gate-way_1').expect(404);
  });

  it('has only good fields, all mistakes named at once', async () => {
    const wrong = {
      messages: { path: '.' },
      device: {},
      time: { path: 't', time_zone: 'Mars/Base' },
      payload: [],
      channels: [
        { name: 'a', path: 'x' },
        { name: 'a', path: 'y' },
      ],
      battery_percent: { path: '' },
      built_in: true,
      colour: 'red',
    };
    const { body } = await put('my-1', wrong).expect(400);
    expect(Object.keys(faultsOf(body))).toEqual([
      '/name',
      '/built_in',
      '/messages/path',
      '/device/path',
      '/time/time_zone',
      '/payload',
      '/channels',
      '/battery_percent/path',
      '/colour',
    ]);
    expect(Object.keys(faultsOf((await put('my%201', NAMED).expect(400)).body))).toEqual(['/id']);
    expect(Object.keys(faultsOf((await put('x'.repeat(65), NAMED).expect(400)).body))).toEqual(['/id']);
    const { body: tested } = await manager
      .post('/v1/sources/test')
      .send({ source: { device: { topic: 0 } } })
      .expect(400);
    expect(Object.keys(faultsOf(tested))).toEqual(['/source/name', '/source/device/topic', '/message']);
    await manager.patch('/v1/sources/nobody').send({ colour: 1 }).expect(400);
    await manager
      .patch('/v1/sources/nobody')
      .send({ time: { time_zone: 'UTC' } })
      .expect(404);
  });

  it('is everybody’s, or of one customer, whose keys see and change their own only', async () => {
    await put('all', NAMED).expect(201);
    await put('theirs', { ...NAMED, customer_id: 'theirs' }).expect(201);
    const { body: own } = await put('own', NAMED, ours).expect(201);

    expect(own).toMatchObject({ customer_id: 'ours' });
    expect(await ids(ours)).toEqual(['own', 'all']);
    await ours.get('/v1/sources/theirs').expect(404);
    expect((await put('all', NAMED, ours).expect(403)).body).toMatchObject({ code: 'bound_key' });
    await ours.delete('/v1/sources/all').expect(403);
    expect((await put('theirs', NAMED, ours).expect(409)).body).toMatchObject({ code: 'id_taken' });
    await ours.patch('/v1/sources/theirs').send({ name: 'x' }).expect(404);
    for (const customerId of [null, 'theirs', 'nobody'])
      expect(
        faultsOf((await put('new', { ...NAMED, customer_id: customerId }, ours).expect(400)).body),
      ).toHaveProperty(['/customer_id']);
    await post('theirs', message(), ours).expect(404);
    // What comes by it is the customer's, whoever sends it.
    expect(await outcome('theirs', message())).toMatchObject({
      outcome: 'quarantined',
      reason: 'unknown_device',
    });
    expect(await waiting(theirs)).toMatchObject([{ source: 'theirs', device_id: EUI }]);
    expect(await outcome('own', message(), ours)).toMatchObject({ outcome: 'stored', tank_id: 'a' });
  });

  it('is one of at most a hundred of a customer, and of nobody', async () => {
    await sql.query(
      `insert into sources (id, name, customer_id, rules)
       select coalesce(c, 'all') || n, 'x', c, (select rules from sources where id = 'loriot')
       from generate_series(1, 100) n, (values ('ours'), (null)) of (c)`,
    );

    for (const agent of [manager, ours])
      expect((await put('one-more', NAMED, agent).expect(409)).body).toMatchObject({ code: 'too_many' });
    await put('all1', NAMED).expect(200);
    await put('one-more', NAMED, theirs).expect(201);
  });
});

describe('what comes by a source', () => {
  it('becomes a reading by the time in it, and acts by the source as it is now', async () => {
    await put('my', NAMED).expect(201);

    const detail = `Device: id is "${EUI}". Time: t is "${AT}". Payload: p is an object.`;
    expect(await outcome('my', message())).toEqual(result({ time: 'message', detail }));
    expect(await outcome('my', message())).toMatchObject({ outcome: 'unchanged' });
    await put('my', { ...NAMED, time: null }).expect(200);
    expect(await outcome('my', message(), manager, '?dry_run=true')).toMatchObject({
      outcome: 'stored',
      time: 'arrival',
    });
    expect(await stored(sql)).toEqual({ [`a ${AT}`]: 50 });
  });

  it('is any JSON of any JSON type, and nothing else', async () => {
    await put('my', NAMED).expect(201);

    await post('my', message())
      .set('Content-Type', 'application/cloudevents+json; charset=utf-8')
      .expect(200);
    for (const type of ['text/plain', 'application/xml', 'application/+json'])
      await post('my', message()).set('Content-Type', type).expect(415);
    expect((await post('my', '{"id":').expect(400)).body).toMatchObject({ code: 'malformed_body' });
    await post('my', JSON.stringify({ id: 'x'.repeat(65_536) })).expect(413);
    await post('nobody', message()).expect(404);
    for (const odd of [5, 'text', null, true, []])
      expect(await outcome('my', JSON.stringify(odd))).toMatchObject({
        outcome: 'quarantined',
        reason: 'malformed',
        device_id: null,
        time: null,
      });
    expect(await waiting()).toHaveLength(5);
  });

  it('may be of several messages and several tanks, each for itself', async () => {
    await insertTanks(sql, [aTank('ours', { id: 'two', assigned_device_id: 'gw-7#2' })]);
    await setSensor(sql, 'two', 'em400-udl', CALIBRATION);
    const channels = [1, 2].map((n) => ({ name: String(n), path: `ch.${n - 1}` }));
    await put('my', {
      ...NAMED,
      messages: { path: 'list' },
      channels,
      ignore_when: [{ path: 'kind', equals: 'hello' }],
    });

    const list = [
      { id: 'gw-7', t: AT, p: { ch: [{ distance: 1200 }, { distance: 1100 }] } },
      { kind: 'hello' },
      { t: AT },
      { id: 'gw-7', t: later(60), p: { ch: [null, { distance: 850 }] } },
    ];
    expect(
      (await outcomes('my', { list })).map(
        ({ outcome: one, reason, device_id: id, fill_percentage: fill }) => [one, reason, id, fill],
      ),
    ).toEqual([
      ['quarantined', 'unknown_device', 'gw-7#1', null],
      ['stored', null, 'gw-7#2', 50],
      ['ignored', 'not_a_measurement', null, null],
      ['quarantined', 'malformed', null, null],
      ['stored', null, 'gw-7#2', 75],
    ]);
    const kept = await waiting();
    expect(kept.map(({ reason, device_id: id, detail }) => [reason, id, String(detail)])).toEqual(
      expect.arrayContaining([
        ['malformed', '', 'No device: there is nothing at id.'],
        ['unknown_device', 'gw-7#1', expect.stringContaining('Channel 1: ch.0 is an object')],
      ]),
    );
    const detail = 'Messages: list is an object, which is no array.';
    expect(await outcomes('my', { list: {} })).toMatchObject([{ reason: 'malformed', detail }]);
  });

  it('is tried again by the source as it is then, as of its first arrival, until it becomes readings', async () => {
    await put('my', { name: 'Mine' }).expect(201);
    const { uplink_id: alone } = await outcome('my', message({ t: undefined }));
    await put('many', { name: 'Mine', messages: { path: 'wrong' } }).expect(201);
    const list = [message({ t: later(60) }), message({ id: 'nobody' })];
    await outcomes('many', { list });
    const arrived = (await waiting()).find(({ id }) => id === alone)?.['created_at'];
    const retry = async () => (await manager.post('/v1/uplinks/retry').send({}).expect(200)).body as object;

    expect(await retry()).toMatchObject({ stored: 0, quarantined: 2 });
    await put('my', NAMED).expect(200);
    await put('many', { ...NAMED, messages: { path: 'list' } }).expect(200);
    expect(await retry()).toMatchObject({ stored: 1, quarantined: 1 });

    expect(await stored(sql)).toEqual({ [`a ${String(arrived)}`]: 50, [`a ${later(60)}`]: 50 });
    const left = await waiting();
    expect(left).toMatchObject([{ source: 'many', device_id: 'nobody', reason: 'unknown_device' }]);
    const { body: kept } = await manager.get(`/v1/uplinks/${String(left[0]?.['id'])}`).expect(200);
    expect((kept as { payload: unknown }).payload).toEqual(message({ id: 'nobody' }));
    await insertTanks(sql, [aTank('ours', { id: 'late', assigned_device_id: 'nobody' })]);
    await setSensor(sql, 'late', 'em400-udl', CALIBRATION);
    expect(await retry()).toMatchObject({ stored: 1, quarantined: 0, remaining: 0 });
    expect(await waiting()).toEqual([]);
  });

  it('may be bytes, which profiles read', async () => {
    const level = { bytes: { offset: 1, length: 2, order: 'little', signed: false }, unit: 'mm' };
    const { body: profile } = await manager
      .put('/v1/sensor_profiles/my-bytes')
      .send({
        name: 'Bytes',
        level: { ...level, bytes: { offset: 1, length: 2, order: 'little' } },
        battery: { bytes: { offset: 0, length: 1 }, factor: 0.5 },
        temperature: { bytes: { offset: 3, length: 1, signed: true } },
      })
      .expect(201);
    expect(profile).toMatchObject({
      level,
      battery: { bytes: { offset: 0, length: 1, order: 'big', signed: false }, factor: 0.5 },
      temperature: { bytes: { offset: 3, length: 1, order: 'big', signed: true } },
    });
    await setSensor(sql, 'a', 'my-bytes', CALIBRATION);

    expect(await loriot('b44c04f6')).toMatchObject({ outcome: 'stored', fill_percentage: 50 });
    expect(await lastUplinkOf(manager)).toMatchObject({
      level: 1100,
      battery_percent: 90,
      temperature_celsius: -10,
    });
    expect(await loriot('b44c')).toMatchObject({ reason: 'no_value' });
    expect(await loriot('b44')).toMatchObject({ reason: 'malformed', device_id: EUI });
    const both = await manager
      .put('/v1/sensor_profiles/my-2')
      .send({ name: 'x', level: { ...level, path: 'a' } })
      .expect(400);
    expect(faultsOf(both.body)).toHaveProperty(['/level/bytes']);
  });
});

const addressOf = async (agent: Agent, id = 'loriot') =>
  ((await agent.post(`/v1/sources/${id}/token`).expect(201)).body as { url: string }).url;

const postTo = (url: string, body: unknown = { cmd: 'rx', EUI, ts: ms, data: '00' }) =>
  service
    .agent()
    .post(url)
    .send(body as object);

describe('an address of a source', () => {
  it('posts to it without a key, as the key that made it, and does nothing else', async () => {
    const url = await addressOf(theirs);

    expect(url).toMatch(/^\/v1\/uplinks\/sources\/loriot\/[\w-]{43}$/);
    expect((await postTo(url).expect(200)).body).toMatchObject({ reason: 'unknown_device' });
    expect(await waiting(theirs)).toHaveLength(1);
    await postTo(url.replace('loriot', 'sigfox')).expect(401);
    await postTo(`${url.slice(0, -1)}_`).expect(401);
    await postTo(url.replace('loriot', 'nobody')).expect(401);
    await service.agent().get(url).expect(401);
    await service.agent().get('/v1/tanks').set('X-API-Key', url.slice(-43)).expect(401);
  });

  it('ends with a new one, by DELETE, with its source and with its key; there is one for a customer', async () => {
    const [first, other] = [await addressOf(ours), await addressOf(theirs)];
    const second = await addressOf(ours);
    await postTo(first).expect(401);
    await postTo(second).expect(200);
    await ours.delete('/v1/sources/loriot/token').expect(200, { object: 'source_token', deleted: true });
    await postTo(second).expect(401);
    await postTo(other).expect(200);

    await put('my', NAMED).expect(201);
    const ofSource = await addressOf(manager, 'my');
    await manager.delete('/v1/sources/my').expect(200);
    await put('my', NAMED).expect(201);
    await postTo(ofSource).expect(401);

    const key = await service.createKey({ scopes: ['tanks:write', 'telemetry:write'], customerId: null });
    const ofKey = await addressOf(service.agent(key));
    await postTo(ofKey).expect(200);
    await service.keys.revoke(key.slice(0, key.indexOf('.')));
    await postTo(ofKey).expect(401);
    const reader = service.agent(await service.createKey({ scopes: ['tanks:write'] }));
    await reader.post('/v1/sources/loriot/token').expect(403);
    const kept = JSON.stringify((await sql.query('select * from source_tokens')).rows);
    expect(kept).not.toContain(other.slice(-43));
    const { body: activity } = await service.api.get('/v1/activity?type=source&size=100').expect(200);
    expect(JSON.stringify(activity)).not.toContain(other.slice(-43));
  });

  it('answers what senders ask first', async () => {
    const url = await addressOf(manager);
    const eventType = 'Microsoft.EventGrid.SubscriptionValidationEvent';
    const asks = { id: '1', eventType, data: { validationCode: 'ABC' } };

    await postTo(url, [asks]).expect(200, { validationResponse: 'ABC' });
    for (const path of [url, '/v1/uplinks/sources/anything']) {
      const { headers } = await service
        .agent()
        .options(path)
        .set('WebHook-Request-Origin', 'eventgrid.azure.net')
        .expect(200);
      expect(headers).toMatchObject({ 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '*' });
    }
    await service.agent().options('/v1/uplinks/sources/anything').expect(401);
    const enableUrl = 'https://iot.eu-west-1.amazonaws.com/confirmdestination/AYADeM';
    const confirmation = { confirmationToken: 'AYADeM', enableUrl, messageType: 'DestinationConfirmation' };
    const { body } = await postTo(`${url}/?confirmationToken=AYADeM`, confirmation).expect(200);
    expect(body).toMatchObject({
      outcome: 'quarantined',
      reason: 'malformed',
      detail: expect.stringContaining(enableUrl),
    });
    await postTo(`${url}/?other=1`, confirmation).expect(400);
  });
});

it('ids that nobody has push no source out of what is known of sources', async () => {
  const reads = new Reads(sql, 100);
  const asked: string[] = [];
  const firstRow: Reads['firstRow'] = (statement, values) => {
    asked.push(String(values[0]));
    return reads.firstRow(statement, values);
  };
  const catalog = new SourceCatalog({ firstRow });
  const looked = Date.now();
  expect(await catalog.find('loriot', null)).toBeDefined();
  for (let i = 0; i < 20; i += 1)
    await Promise.all(Array.from({ length: 60 }, (_, n) => catalog.find(`nobody ${i} ${n}`, null)));
  await catalog.find('loriot', null);

  const isFresh = Date.now() - looked < 2_000;
  expect(asked.filter((id) => id === 'loriot')).toHaveLength(isFresh ? 1 : 2);
});
