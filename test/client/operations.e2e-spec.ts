// Every operation of the API can be called, and gives what the API gives.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TankMonitoring } from 'tank-monitoring-client';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer, insertReadings, insertTank } from '../support/builders.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const NOW = Date.now();
const AT = new Date(NOW).toISOString();

let service: TestService;
let tms: TankMonitoring;
let eventId: string;
let uplinkId: string;
let endpointId: string;
let recipientId: string;
let activeId: string;
let keyPrefix: string;

beforeAll(async () => {
  service = await startService({
    environment: { WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'), WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  const key = await service.createKey({
    scopes: SCOPES,
  });
  tms = new TankMonitoring({ url: service.url, key });
  await insertCustomer(service.sql, { id: 'ours', email: 'ours@example.com', is_verified: true });
  await insertTank(service.sql, 'ours', { id: 'a' });
  const fall = [90, 75, 60, 45, 30, 15].map((fill_percentage, hour) => ({
    created_at: new Date(NOW - (5 - hour) * 3_600_000).toISOString(),
    fill_percentage,
  }));
  await insertReadings(service.sql, 'a', fall);
  eventId = (await tms.events.page()).data[0]?.id ?? '';
  keyPrefix = (await tms.keys.create({ name: 'rolled' })).prefix;
  await service.sql.query(
    "insert into users (id, issuer, subject, email) values ('ada', 'https://login.example.com', 'ada', 'ada@example.com')",
  );
  endpointId = (await tms.webhookEndpoints.create({ url: 'http://127.0.0.1:3/' })).id;
  recipientId = (await tms.recipients.create({ email: 'ada@example.com' })).id;
  activeId = (await tms.recipients.create({ email: 'ours@example.com', owner_id: 'ours' })).id;
  uplinkId = (await tms.uplinks.sendChirpStack(CHIRPSTACK)).uplink_id ?? '';
});

/** By operation, the call that is it. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  live: () => tms.health.live(),
  ready: () => tms.health.ready(),
  listCustomers: () => tms.customers.page(),
  getCustomer: () => tms.customers.get('ours'),
  listTanks: () => tms.tanks.page({ size: 5 }),
  getTank: () => tms.tanks.get('a'),
  listTelemetry: () => tms.telemetry.page('a', { created_at_lte: AT }),
  listReadings: () => tms.telemetry.readings({ owner_id: 'ours', size: 10 }),
  deleteReadings: () =>
    tms.telemetry.delete('a', { created_at_gte: '2020-01-01', created_at_lte: '2020-01-02' }),
  getTelemetrySeries: () => tms.telemetry.series('a', { interval: '1h', created_at_lte: AT }),
  getFleet: () => tms.fleet.get({ owner_id: 'ours' }),
  listFleetTanks: () => tms.fleet.tanks.page({ low: true, sort: 'created_at' }),
  getFleetTank: () => tms.fleet.tanks.get('a'),
  getTankForecast: () => tms.tanks.forecast('a'),
  getForecastAccuracy: () => tms.forecasts.accuracy({ owner_id: 'ours' }),
  sendReadings: () => tms.telemetry.send([{ tank_id: 'a', created_at: AT, fill_percentage: 15 }]),
  listEvents: () => tms.events.page({ type: 'tank.low' }),
  getEvent: () => tms.events.get(eventId),
  listActivity: () => tms.activity.page({ type: 'key', actor: 'keys create' }),
  listChanges: () => tms.changes.list({ types: ['tank', 'telemetry'], size: 10 }),
  getKey: () => tms.key.get(),
  getMe: () => tms.key.me(),
  listKeys: () => tms.keys.page({ size: 5 }),
  getKeyByPrefix: () => tms.keys.get(keyPrefix),
  createKey: () => tms.keys.create({ name: 'route planner' }),
  rollKey: () => tms.keys.roll(keyPrefix, { keep_seconds: 0 }),
  deleteKey: () => tms.keys.revoke(keyPrefix),
  listUsers: () => tms.users.page(),
  getUser: () => tms.users.get('ada'),
  patchUser: () => tms.users.patch('ada', { role: 'viewer' }, { ifMatch: '*' }),
  deleteUser: () => tms.users.delete('ada'),
  eraseCustomer: () => tms.customers.erase('theirs'),
  createCustomer: () => tms.customers.create(CUSTOMER),
  putCustomer: () => tms.customers.put('theirs', CUSTOMER),
  patchCustomer: () => tms.customers.patch('theirs', { phone: '+31 10 555 0142' }),
  deleteCustomer: () => tms.customers.delete('theirs'),
  restoreCustomer: () => tms.customers.restore('theirs'),
  createTank: () => tms.tanks.create(TANK),
  putTank: () => tms.tanks.put('b', TANK, { ifNoneMatch: '*' }),
  patchTank: () => tms.tanks.patch('b', { location: { city: 'Rotterdam' } }, { ifMatch: '*' }),
  deleteTank: () => tms.tanks.delete('b'),
  restoreTank: () => tms.tanks.restore('b'),
  listRuns: () => tms.runs.page({ status: 'planned' }),
  createRun: () => tms.runs.create({ ...RUN, date: '2026-11-25' }),
  putRun: () => tms.runs.put('r', RUN),
  getRun: () => tms.runs.get('r'),
  patchRun: () => tms.runs.patch('r', { name: 'Truck 3' }, { ifMatch: '*' }),
  patchStop: () => tms.runs.enter('r', 'a', { note: 'ring twice' }),
  orderRun: () => tms.runs.order('r'),
  deleteRun: () => tms.runs.delete('r'),
  suggestRun: () => tms.runs.suggest({ date: '2026-11-24' }),
  listSensorProfiles: () => tms.sensorProfiles.page({ size: 100 }),
  getSensorProfile: () => tms.sensorProfiles.get('probe'),
  putSensorProfile: () => tms.sensorProfiles.put('probe', PROFILE),
  patchSensorProfile: () => tms.sensorProfiles.patch('probe', { name: 'Another name' }),
  deleteSensorProfile: () => tms.sensorProfiles.delete('probe'),
  listSources: () => tms.sources.page({ size: 100 }),
  getSource: () => tms.sources.get('gate'),
  putSource: () => tms.sources.put('gate', SOURCE),
  patchSource: () => tms.sources.patch('gate', { name: 'Another name' }),
  deleteSource: () => tms.sources.delete('gate'),
  testSource: () => tms.sources.test({ source: SOURCE, message: { id: 'tank-7' } }),
  makeSourceToken: () => tms.sources.makeToken('gate'),
  deleteSourceToken: () => tms.sources.removeToken('gate'),
  sendSourceUplink: () => tms.uplinks.sendBySource('gate', { id: 'tank-7' }, { dry_run: true }),
  getSensor: () => tms.sensors.get('a'),
  putSensor: () => tms.sensors.put('a', { profile_id: 'probe' }),
  deleteSensor: () => tms.sensors.delete('a'),
  listUplinks: () => tms.uplinks.page({ reason: 'unknown_device' }),
  getUplink: () => tms.uplinks.get(uplinkId),
  discardUplink: () => tms.uplinks.discard(uplinkId),
  sendChirpStackUplink: () => tms.uplinks.sendChirpStack(CHIRPSTACK, { event: 'up' }),
  sendGenericUplink: () => tms.uplinks.sendGeneric({ device_id: 'tank-7', payload: {} }, { dry_run: true }),
  sendTtsUplink: () => tms.uplinks.sendTts(TTS, { dry_run: true }),
  listRecipients: () => tms.recipients.page(),
  createRecipient: () => tms.recipients.create({ email: 'bob@example.com' }),
  getRecipient: () => tms.recipients.get(recipientId),
  patchRecipient: () => tms.recipients.patch(recipientId, { paused: true }, { ifMatch: '*' }),
  listNotices: () => tms.recipients.noticesPage(recipientId),
  sendConfirmation: () => tms.recipients.sendConfirmation(recipientId),
  testRecipient: () => tms.recipients.test(activeId),
  deleteRecipient: () => tms.recipients.delete(recipientId),
  listWebhookEndpoints: () => tms.webhookEndpoints.page(),
  createWebhookEndpoint: () => tms.webhookEndpoints.create({ url: 'https://example.com/hook' }),
  getWebhookEndpoint: () => tms.webhookEndpoints.get(endpointId),
  patchWebhookEndpoint: () => tms.webhookEndpoints.patch(endpointId, { description: 'x' }, { ifMatch: '*' }),
  deleteWebhookEndpoint: () => tms.webhookEndpoints.delete(endpointId),
  rollWebhookSecret: () => tms.webhookEndpoints.rollSecret(endpointId),
  testWebhookEndpoint: () => tms.webhookEndpoints.test(endpointId),
  replayWebhookEvents: () => tms.webhookEndpoints.replay(endpointId, new Date(0)),
  listWebhookDeliveries: () => tms.webhookEndpoints.deliveriesPage(endpointId, { state: 'failed' }),
  retryUplinks: () => tms.uplinks.retry({ device_id: '0011223344556677' }),
};

const CUSTOMER = { email: 'office@example.com', name: 'Harbor Hotel' };
const TANK = { name: 'Boiler house', owner_id: 'ours', capacity: 2700, capacity_unit: 'liters' } as const;
const RUN = { date: '2026-11-24', stops: [{ tank_id: 'a', planned: 1000 }] };
const PROFILE = { name: 'Probe', level: { path: 'distance', unit: 'mm' } } as const;
const SOURCE = { name: 'Gateway', device: { path: 'id' } };
const CHIRPSTACK = {
  deviceInfo: { devEui: '0011223344556677' },
  time: AT,
  object: { distance: 800 },
  fCnt: 1,
};
const TTS = {
  end_device_ids: { device_id: 'probe-1' },
  received_at: AT,
  uplink_message: { decoded_payload: { distance: 800 }, received_at: AT },
};

/** One needs what another made. */
const ORDER = [
  'putCustomer',
  'patchCustomer',
  'deleteCustomer',
  'restoreCustomer',
  'putTank',
  'patchTank',
  'deleteTank',
  'restoreTank',
  'putRun',
  'getRun',
  'patchRun',
  'patchStop',
  'orderRun',
  'deleteRun',
  'putSource',
  'patchSource',
  'makeSourceToken',
  'deleteSourceToken',
  'sendSourceUplink',
  'getSource',
  'deleteSource',
  'putSensorProfile',
  'putSensor',
  'getSensor',
  'deleteSensor',
  'patchSensorProfile',
  'getSensorProfile',
  'deleteSensorProfile',
  'getUplink',
  'discardUplink',
  'patchWebhookEndpoint',
  'deleteWebhookEndpoint',
  'deleteRecipient',
  'getKeyByPrefix',
  'rollKey',
  'deleteKey',
  'getUser',
  'patchUser',
  'deleteUser',
  'eraseCustomer',
];

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method, path })),
);
const inOrder = operations.toSorted(
  (one, other) => ORDER.indexOf(one.operationId) - ORDER.indexOf(other.operationId),
);

describe('every operation', () => {
  it('has a call', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(CALLS).toSorted(),
    );
  });

  it.each(inOrder)('$operationId asks $method $path', async ({ operationId, method, path }) => {
    const asked: string[] = [];
    const original = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      asked.push(`${init?.method} ${new URL(input instanceof Request ? input.url : input).pathname}`);
      return original(input, init);
    };
    try {
      expect(await CALLS[operationId]?.()).toMatchObject(operationId === 'live' ? { status: 'ok' } : {});
    } finally {
      globalThis.fetch = original;
    }
    const pattern = new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    expect(asked).toEqual([expect.stringMatching(pattern)]);
  });

  it('gives what the API gives, deleted objects too', async () => {
    await insertTank(service.sql, 'ours', { id: 'gone', deleted: true });
    expect(await tms.tanks.get('gone')).toEqual({ id: 'gone', object: 'tank', deleted: true });
    expect(await tms.tanks.get('a')).toEqual((await service.api.get('/v1/tanks/a')).body);
    expect(await tms.events.get(eventId)).toEqual((await service.api.get(`/v1/events/${eventId}`)).body);
    expect(await tms.fleet.tanks.page()).toEqual((await service.api.get('/v1/fleet/tanks')).body);
  });
});
