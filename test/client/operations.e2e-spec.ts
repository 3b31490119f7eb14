// Every operation of the API can be called, and gives what the API gives.
import { describe, expect, it } from '@jest/globals';
import { TankMonitoring } from 'tank-monitoring-client';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertReadings, insertTank } from '../support/builders.js';

const NOW = Date.now();
const AT = new Date(NOW).toISOString();

const service = await startService({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
const tms = new TankMonitoring({ url: service.url, key: await service.createKey({ scopes: SCOPES }) });
await insertCustomer(service.sql, { id: 'ours', email: 'ours@example.com', is_verified: true });
await insertTank(service.sql, 'ours', { id: 'a' });
const fall = [90, 75, 60, 45, 30, 15].map((fill_percentage, hour) => ({
  created_at: new Date(NOW - (5 - hour) * 3_600_000).toISOString(),
  fill_percentage,
}));
await insertReadings(service.sql, 'a', fall);
await service.sql.query(
  "insert into users (id, issuer, subject, email) values ('ada', 'https://login.example.com', 'ada', 'ada@example.com')",
);

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

const eventId = (await tms.events.page()).data[0]?.id ?? '';
const keyPrefix = (await tms.keys.create({ name: 'rolled' })).prefix;
const endpointId = (await tms.webhookEndpoints.create({ url: 'http://127.0.0.1:3/' })).id;
const recipientId = (await tms.recipients.create({ email: 'ada@example.com' })).id;
const activeId = (await tms.recipients.create({ email: 'ours@example.com', owner_id: 'ours' })).id;
const uplinkId = (await tms.uplinks.sendChirpStack(CHIRPSTACK)).uplink_id ?? '';

/** By operation, the call that is it; one needs what another made before it. */
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
  createKey: () => tms.keys.create({ name: 'route planner' }),
  listUsers: () => tms.users.page(),
  createCustomer: () => tms.customers.create(CUSTOMER),
  createTank: () => tms.tanks.create(TANK),
  listRuns: () => tms.runs.page({ status: 'planned' }),
  createRun: () => tms.runs.create({ ...RUN, date: '2026-11-25' }),
  suggestRun: () => tms.runs.suggest({ date: '2026-11-24' }),
  listSensorProfiles: () => tms.sensorProfiles.page({ size: 100 }),
  listSources: () => tms.sources.page({ size: 100 }),
  testSource: () => tms.sources.test({ source: SOURCE, message: { id: 'tank-7' } }),
  listUplinks: () => tms.uplinks.page({ reason: 'unknown_device' }),
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
  listWebhookEndpoints: () => tms.webhookEndpoints.page(),
  createWebhookEndpoint: () => tms.webhookEndpoints.create({ url: 'https://example.com/hook' }),
  getWebhookEndpoint: () => tms.webhookEndpoints.get(endpointId),
  rollWebhookSecret: () => tms.webhookEndpoints.rollSecret(endpointId),
  testWebhookEndpoint: () => tms.webhookEndpoints.test(endpointId),
  replayWebhookEvents: () => tms.webhookEndpoints.replay(endpointId, new Date(0)),
  listWebhookDeliveries: () => tms.webhookEndpoints.deliveriesPage(endpointId, { state: 'failed' }),
  retryUplinks: () => tms.uplinks.retry({ device_id: '0011223344556677' }),
  putCustomer: () => tms.customers.put('theirs', CUSTOMER),
  patchCustomer: () => tms.customers.patch('theirs', { phone: '+31 10 555 0142' }),
  deleteCustomer: () => tms.customers.delete('theirs'),
  restoreCustomer: () => tms.customers.restore('theirs'),
  putTank: () => tms.tanks.put('b', TANK, { ifNoneMatch: '*' }),
  patchTank: () => tms.tanks.patch('b', { location: { city: 'Rotterdam' } }, { ifMatch: '*' }),
  deleteTank: () => tms.tanks.delete('b'),
  restoreTank: () => tms.tanks.restore('b'),
  putRun: () => tms.runs.put('r', RUN),
  getRun: () => tms.runs.get('r'),
  patchRun: () => tms.runs.patch('r', { name: 'Truck 3' }, { ifMatch: '*' }),
  patchStop: () => tms.runs.enter('r', 'a', { note: 'ring twice' }),
  orderRun: () => tms.runs.order('r'),
  deleteRun: () => tms.runs.delete('r'),
  putSource: () => tms.sources.put('gate', SOURCE),
  patchSource: () => tms.sources.patch('gate', { name: 'Another name' }),
  makeSourceToken: () => tms.sources.makeToken('gate'),
  deleteSourceToken: () => tms.sources.removeToken('gate'),
  sendSourceUplink: () => tms.uplinks.sendBySource('gate', { id: 'tank-7' }, { dry_run: true }),
  getSource: () => tms.sources.get('gate'),
  deleteSource: () => tms.sources.delete('gate'),
  putSensorProfile: () => tms.sensorProfiles.put('probe', PROFILE),
  putSensor: () => tms.sensors.put('a', { profile_id: 'probe' }),
  getSensor: () => tms.sensors.get('a'),
  deleteSensor: () => tms.sensors.delete('a'),
  patchSensorProfile: () => tms.sensorProfiles.patch('probe', { name: 'Another name' }),
  getSensorProfile: () => tms.sensorProfiles.get('probe'),
  deleteSensorProfile: () => tms.sensorProfiles.delete('probe'),
  getUplink: () => tms.uplinks.get(uplinkId),
  discardUplink: () => tms.uplinks.discard(uplinkId),
  patchWebhookEndpoint: () => tms.webhookEndpoints.patch(endpointId, { description: 'x' }, { ifMatch: '*' }),
  deleteWebhookEndpoint: () => tms.webhookEndpoints.delete(endpointId),
  deleteRecipient: () => tms.recipients.delete(recipientId),
  getKeyByPrefix: () => tms.keys.get(keyPrefix),
  rollKey: () => tms.keys.roll(keyPrefix, { keep_seconds: 0 }),
  deleteKey: () => tms.keys.revoke(keyPrefix),
  getUser: () => tms.users.get('ada'),
  patchUser: () => tms.users.patch('ada', { role: 'viewer' }, { ifMatch: '*' }),
  deleteUser: () => tms.users.delete('ada'),
  eraseCustomer: () => tms.customers.erase('theirs'),
};

const operations = Object.entries(service.document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method, path })),
);
describe('every operation', () => {
  it('has a call', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(CALLS).toSorted(),
    );
  });

  it.each(Object.entries(CALLS))('%s asks what the document says', async (operationId, call) => {
    const { method = '', path = '' } = operations.find((one) => one.operationId === operationId) ?? {};
    const asked: string[] = [];
    const original = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      asked.push(`${init?.method} ${new URL(input instanceof Request ? input.url : input).pathname}`);
      return original(input, init);
    };
    try {
      expect(await call()).toMatchObject(operationId === 'live' ? { status: 'ok' } : {});
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
