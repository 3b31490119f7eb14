// What operators see: metrics on a port of their own, with nothing of what was asked for, and the cause of what went wrong in the log.
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { startService } from '../support/app.js';
import { createFleet, createKey } from './support/fleet.js';
import { codesOf, expectOnly } from './support/judgement.js';
import { lockTable } from './support/own-postgres.js';
import { freePort } from './support/ports.js';
import { ask, metricsAt } from './support/requests.js';
import { ServiceProcess, type LogLine } from './support/service-process.js';
import { newDatabase } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);
const metricsPort = await freePort();
const service = await ServiceProcess.start({ DATABASE_URL: database.url, METRICS_PORT: String(metricsPort) });
const [keyPrefix = ''] = fleet.key.split('.');

const personal = 'someone.private@example.com';
for (const path of [
  `/v1/tanks/${fleet.tankId}/telemetry`,
  `/v1/tanks/${fleet.tankId}`,
  `/v1/customers?email=${personal}`,
  '/v1/tanks/no-such-tank',
  `/v1/no-such-route/${fleet.customerId}?page=7`,
  `/v1/customers?size=${personal}`,
])
  await service.get(path, fleet.key);
for (const key of [undefined, 'garbage']) await service.get('/v1/tanks', key);

const metrics = () => metricsAt(metricsPort);

/** Names and labels of our own metrics. Those of the process grow by themselves, with a first garbage collection for example. */
function seriesOf(metricsText: string): string[] {
  const own = metricsText.split('\n').filter((line) => /^(http|api_key|database)_/.test(line));
  return own.map((line) => line.slice(0, line.lastIndexOf(' ')));
}

it('a request whose time is over leaves an error line that says so, as every 5xx leaves one with its cause', async () => {
  const lines: LogLine[] = [];
  const keep = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
  const hasty = await startService({
    database,
    logger: pino({ formatters: { level: (level) => ({ level }) } }, keep),
    environment: { DATABASE_POOL_SIZE: '1', ANSWER_TIMEOUT_MS: '8000' },
    adjust: (config) => ({
      ...config,
      database: { ...config.database, lockTimeoutMs: 6_000, statementTimeoutMs: 6_000 },
    }),
  });
  expectOnly([200], [await ask(hasty.url, { path: '/v1/tanks', headers: fleet.headers })]);
  const unlock = await lockTable(database.url, 'tanks');
  // One is ended by the lock's bound; the other gets the connection then, and has no time left for as much. Reads of one kind would travel
  // together.
  const paths = ['/v1/tanks', `/v1/tanks/${fleet.tankId}`];
  const asked = paths.map((path) => ask(hasty.url, { path, headers: fleet.headers }));
  const outcomes = await Promise.all(asked);
  await unlock();
  expectOnly([503], outcomes);
  expect(codesOf(outcomes)).toEqual(['database_unavailable', 'overloaded']);
  const errors = lines.filter(({ level, code }) => level === 'error' && code !== undefined);
  const causes = errors.map(({ code, err }) => [code, (err as { message: string }).message]);
  expect(causes).toEqual([
    ['database_unavailable', expect.stringMatching(/canceling statement due to \w+ timeout/)],
    ['overloaded', 'No answer within the time of this request.'],
  ]);
});

const linesNotHttp = async () =>
  (await service.logLines()).filter(({ msg }) => String(msg).includes('not HTTP'));
const endingIn = (days: number) => ({
  name: 'a device',
  expiresAt: new Date(Date.now() + days * 86_400_000),
});

describe('the metrics', () => {
  it('tell durations by route and status, refused keys, the pool, the event loop and the build', async () => {
    const text = await metrics();
    for (const pattern of [
      /^http_request_duration_seconds_count\{method="GET",route="\/v1\/tanks\/:id\/telemetry",status="200"\} 1$/m,
      /^http_request_duration_seconds_count\{method="GET",route="\/v1\/tanks\/:id",status="404"\} 1$/m,
      /^http_request_duration_seconds_count\{method="GET",route="\/v1\/tanks",status="401"\} 2$/m,
      /^http_request_duration_seconds_bucket\{le="0\.005",method="GET",route="\/v1\/customers",status="400"\} \d+$/m,
      new RegExp(`^api_key_requests_total\\{key="${keyPrefix}"\\} 6$`, 'm'),
      /^api_key_refusals_total\{reason="missing"\} 1$/m,
      /^api_key_refusals_total\{reason="invalid"\} 1$/m,
      /^database_pool_size 10$/m,
      /^database_pool_connections \d+$/m,
      /^database_pool_connections_in_use 0$/m,
      /^database_pool_requests_waiting 0$/m,
      /^nodejs_eventloop_lag_p99_seconds \d/m,
      /^process_resident_memory_bytes \d/m,
      /^build_info\{version="\d+\.\d+\.\d+",node="v\d+\.\d+\.\d+"\} 1$/m,
    ]) {
      expect(text).toMatch(pattern);
    }
  });

  it('have no label that a caller can make up', async () => {
    const made = [fleet.tankId, fleet.customerId, personal, 'no-such', 'garbage'];
    const text = await metrics();
    expect(made.filter((value) => text.includes(value))).toEqual([]);

    const before = seriesOf(text);
    for (let i = 0; i < 30; i++) {
      await service.get(`/made-up/${i}?n=${i}`, fleet.key);
      await service.get(`/v1/tanks/${i}`, fleet.key);
    }
    expect(seriesOf(await metrics())).toEqual(before);
  });

  it('count what is not HTTP, and one line a minute says how many there were', async () => {
    for (let i = 0; i < 3; i += 1) await new Wire(service.url, 'SSH-2.0-scan\r\n').ended();
    expect(await metrics()).toMatch(/^http_invalid_requests_total 3$/m);
    await until('it is logged', async () => (await linesNotHttp()).length > 0);
    expect(await linesNotHttp()).toMatchObject([{ level: 'warn', requests: 1 }]);
  });

  it('name keys that end within two weeks, until they are rolled, and the size of the database', async () => {
    const ending = async () =>
      [...(await metrics()).matchAll(/^api_key_ends_in_seconds\{key="(.+)"\} \d/gm)].map(([, key]) => key);
    const [soon] = (await createKey(database.url, endingIn(13))).split('.');
    expect(await ending()).toEqual([soon]);
    await createKey(database.url, endingIn(20)); // by its name the one that follows
    expect(await ending()).toEqual([]);
    expect(await metrics()).toMatch(/^database_size_bytes \d{6,}$/m);
  });

  it('are on their own port only', async () => {
    expect((await service.get('/metrics', fleet.key)).status).toBe(404);
    expect((await ask(`http://127.0.0.1:${metricsPort}`, { path: '/v1/tanks' })).status).toBe(404);
  });
});
