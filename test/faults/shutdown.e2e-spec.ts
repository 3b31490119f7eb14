// SIGTERM: not ready at once, nothing in flight lost, a polite good-bye on every connection, exit 0 in time.
import { afterEach, describe, expect, it } from '@jest/globals';
import { createFleet, createKey } from './support/fleet.js';
import { codesOf, expectOnly } from './support/judgement.js';
import { Load } from './support/load.js';
import { OwnPostgres, waitForLocks } from './support/own-postgres.js';
import { ServiceProcess, type Environment } from './support/service-process.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const postgres = await OwnPostgres.start();
const fleet = await createFleet(postgres.url);

async function startService(environment: Environment = {}): Promise<ServiceProcess> {
  return await ServiceProcess.start({
    DATABASE_URL: postgres.url,
    SHUTDOWN_GRACE_MS: '30000',
    ...environment,
  });
}

const get = (path: string, key = fleet.key): string =>
  `GET ${path} HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${key}\r\n\r\n`;

const areConnected = (clients: readonly Wire[]) =>
  until('all are connected', () => clients.every(({ wasConnected }) => wasConnected));
const refusesConnections = (service: ServiceProcess) =>
  until('no new connection is accepted', async () => {
    const { error } = await service.get('/health/live');
    return error === 'ECONNREFUSED';
  });
const isNotReady = (service: ServiceProcess) =>
  until('it is not ready any more', async () => (await service.ready()).status === 503);

async function isUseNoted(key: string): Promise<boolean> {
  const noted = 'select from api_keys where prefix = $1 and last_used_at is not null';
  return (await postgres.query(noted, [key.split('.')[0]])).length === 1;
}

describe('SIGTERM under load', () => {
  it('loses nothing, says good-bye on every connection, and ends with 0', async () => {
    // Time enough for each client to come by once more, however slow the machine.
    const service = await startService({ SHUTDOWN_GRACE_MS: '45000' });
    const load = new Load(service, fleet, 20);
    await load.seen(200, 100);
    const readiness = [await service.ready()];

    const ending = service.child.terminate();
    await until('it is not ready any more', async () => {
      const answer = await service.ready();
      readiness.push(answer);
      return answer.status === 503;
    });
    const { code } = await ending;
    await load.stop();

    expect(code).toBe(0);
    expectOnly([200], load.outcomes);
    // Each of the 20 was told before its connection was closed, none found it closed.
    const farewells = load.outcomes.filter(({ headers }) => headers.connection === 'close');
    expect(farewells).toHaveLength(20);
    expectOnly([200, 503], readiness);
    expect(codesOf(readiness)).toEqual(['shutting_down']);
    expect(await service.child.stderr()).toBe('');
    // The probe of a service that stops leaves a line, and no error.
    const lines = await service.logLines();
    expect(lines.filter((line) => line.level !== 'info' || 'err' in line)).toEqual([]);
    expect(lines.filter(({ code: told }) => told === 'shutting_down').length).toBeGreaterThan(0);
  });

  it('ends at once on a second signal', async () => {
    const service = await startService({ SHUTDOWN_GRACE_MS: '600000' });
    service.child.signal('SIGTERM');
    await isNotReady(service);

    expect(await service.child.terminate()).toEqual({ code: 1, signal: null });
  });
});

it('SIGTERM with connections that nobody uses ends before the grace is over, with the last use of the key written down', async () => {
  const service = await startService({ SHUTDOWN_GRACE_MS: '60000' });
  const key = await createKey(postgres.url);
  expectOnly([200], [await service.get('/v1/customers', key)]);
  const clients = [
    new Wire(service.url, ''),
    new Wire(service.url, 'GET /v1/ta'),
    new Wire(service.url, 'nonsense\r\n\r\n', { staysOpen: true }),
    new Wire(service.url, 'CONNECT x:1 HTTP/1.1\r\n\r\n', { staysOpen: true }),
    new Wire(service.url, 'GET /health/live HTTP/1.1\r\n\r\n'),
  ];
  await areConnected(clients);

  expect(await service.child.terminate()).toEqual({ code: 0, signal: null });
  expect(await isUseNoted(key)).toBe(true);
});

describe('SIGTERM while connections come in', () => {
  it('serves what a connection asks for after the listener is gone, and writes down that use of the key too', async () => {
    const service = await startService();
    const key = await createKey(postgres.url);
    const late = new Wire(service.url, '');
    await areConnected([late]);

    service.child.signal('SIGTERM');
    await refusesConnections(service);
    late.socket.write(get('/v1/customers', key));

    expect((await late.answered(1)).map(({ status }) => status)).toEqual([200]);
    expect(await service.child.ended).toEqual({ code: 0, signal: null });
    expect(await isUseNoted(key)).toBe(true);
  });

  it('answers what one connection has asked for, and says in the last answer that it closes', async () => {
    const service = await startService({ ANSWER_TIMEOUT_MS: '60000' });
    const unlock = await postgres.lock('tanks');
    const client = new Wire(service.url, get('/v1/tanks').repeat(17));
    await waitForLocks(postgres.url, 1);
    service.child.signal('SIGTERM');
    await refusesConnections(service);
    await unlock();
    const { code } = await service.child.ended;
    await client.ended();

    expect(client.error).toBeUndefined();
    expect(client.rest).toBe('');
    expect(client.statuses).toEqual(Array(17).fill(200));
    const endings = client.answers.map(({ headers }) => headers['connection']);
    expect(endings).toEqual([...Array(16).fill('keep-alive'), 'close']);
    expect(code).toBe(0);
  });
});

describe('SIGTERM while the database does not answer', () => {
  afterEach(() => postgres.thaw());

  it('answers the requests in flight, and ends within the grace', async () => {
    const service = await startService({ ANSWER_TIMEOUT_MS: '3000', SHUTDOWN_GRACE_MS: '15000' });
    expectOnly([200], [await service.get('/v1/customers', fleet.key)]);
    await postgres.freeze();
    const clients = fleet.paths.map((path) => new Wire(service.url, get(path)));
    await areConnected(clients);

    const ending = await service.child.terminate();
    await Promise.all(clients.map((client) => client.ended()));

    expect(clients.map(({ error, statuses }) => error ?? statuses[0])).toEqual(clients.map(() => 503));
    // The last use of the key could not be written down: not everything was done.
    expect(ending).toEqual({ code: 1, signal: null });
    const told = (await service.logLines()).find((line) => 'undone' in line);
    expect(told?.['undone']).toContain('the last use of keys');
  });
});
