// Spans as a receiver of OTLP over HTTP gets them from what is deployed: of requests, their statements and deliveries, and nothing of what
// was asked for. Whatever becomes of the receiver, the service goes on.
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProgram } from '../support/cli.js';
import { Receiver } from '../support/receiver.js';
import { createFleet, createKey } from './support/fleet.js';
import { expectOnly } from './support/judgement.js';
import { freePort } from './support/ports.js';
import { ask, metricsAt, type Outcome, type Question } from './support/requests.js';
import { ServiceProcess, type Environment, type LogLine } from './support/service-process.js';
import { newDatabase, stage } from './support/stage.js';
import { until } from './support/until.js';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** What was posted, as it came. */
const bodies: string[] = [];

async function listening(onRequest: (request: IncomingMessage, answer: () => void) => void): Promise<Server> {
  const server = createServer((request, response) => {
    onRequest(request, () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stage.add({
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const collector = await listening((request, answer) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    bodies.push(body);
    answer();
  });
});

const database = await newDatabase();
const fleet = await createFleet(database.url);
const key = await createKey(database.url, { scopes: ['read', 'telemetry:write', 'tanks:write'] });
const [prefix = '', secret = ''] = key.split('.');
const receiver = stage.add(await Receiver.start());
const environment = {
  DATABASE_URL: database.url,
  WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
};
const start = async (others: Environment): Promise<ServiceProcess> =>
  await ServiceProcess.start({ ...environment, ...others });

const spans = (): Span[] =>
  bodies
    .flatMap((body) => (JSON.parse(body) as Traces).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));

/** Waits until such a span is exported. */
async function exported(matches: (span: Span) => boolean): Promise<Span> {
  const find = () => spans().find(matches);
  await until('the span is exported', () => find() !== undefined);
  return find() ?? Promise.reject(new Error('It was there a moment ago.'));
}

function factsOf({ attributes }: Span): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key: name, value }) => [name, Object.values(value)[0]]));
}

/** Waits until the span of the request with this trace is there; returns it and its children's names. */
async function traced(traceId: string): Promise<{ root: Span; statements: string[] }> {
  const root = await exported((span) => span.traceId === traceId && span.kind === SERVER);
  const children = spans().filter(({ parentSpanId }) => parentSpanId === root.spanId);
  // A key is looked up again every few seconds.
  const statements = children.map(({ name }) => name).filter((name) => name !== 'find_api_key');
  return { root, statements };
}

const keySpans = () => spans().filter(({ name }) => name === 'GET /v1/key');

const SERVER = 2;
const CALLERS_SPAN = 'b7ad6b7169203331';
const SECRET_VALUE = 'a-value-nobody-may-see';

const metricsPort = await freePort();
let traces = 0;

/** Asks as a caller with a trace of its own. */
async function askTraced(question: Question): Promise<Outcome & { traceId: string }> {
  traces += 1;
  const traceId = traces.toString(16).padStart(32, 'c0ffee00');
  const traceparent = `00-${traceId}-${CALLERS_SPAN}-01`;
  const headers = { 'X-API-Key': key, traceparent, ...question.headers };
  return { ...(await ask(service.url, { ...question, headers })), traceId };
}

async function lineOf(traceId: string): Promise<LogLine> {
  const find = async () =>
    (await service.logLines()).find((line) => line['trace_id'] === traceId && 'route' in line);
  await until('it is logged', async () => (await find()) !== undefined);
  return (await find()) ?? { time: '', level: '' };
}

const added = await startProgram(environment, 'webhooks', 'add', receiver.url).result;
if (added.code !== 0) throw new Error(added.stderr);
const service = await start({
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector),
  OTEL_BSP_SCHEDULE_DELAY: '50',
  METRICS_PORT: String(metricsPort),
});

it('a probe leaves no span', async () => {
  const probe = await askTraced({ path: '/health/ready' });
  await traced((await askTraced({ path: `/v1/tanks/${fleet.tankId}` })).traceId);
  expect(spans().filter(({ traceId }) => traceId === probe.traceId)).toEqual([]);
});

describe('a request', () => {
  it('is a span of its route, status and key, below the span of its caller, with its statements by name', async () => {
    const { status, traceId } = await askTraced({ path: `/v1/tanks/${fleet.tankId}` });
    expect(status).toBe(200);

    const { root, statements } = await traced(traceId);
    expect(root).toMatchObject({
      name: 'GET /v1/tanks/:id',
      parentSpanId: CALLERS_SPAN,
      status: { code: 0 },
    });
    expect(factsOf(root)).toEqual({
      'http.request.method': 'GET',
      'http.route': '/v1/tanks/:id',
      'http.response.status_code': 200,
      'api_key.prefix': prefix,
    });
    expect(statements).toEqual(['tank_by_id']);
    const { route, database_ms, duration_ms } = await lineOf(traceId);
    expect(route).toBe('/v1/tanks/:id');
    expect(database_ms).toBeGreaterThan(0);
    expect(duration_ms).toBeGreaterThanOrEqual(Number(database_ms));
  });

  it('that changes something has the statements of its transaction, in its words and tables', async () => {
    const path = `/v1/tanks/${fleet.tankId}`;
    const body = JSON.stringify({ name: SECRET_VALUE });
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const { status, traceId } = await askTraced({ method: 'PATCH', path, body, headers });
    expect(status).toBe(200);
    const { root, statements } = await traced(traceId);
    expect(root.name).toBe('PATCH /v1/tanks/:id');
    expect(statements).toEqual([
      'lock tanks',
      'select tanks',
      'update tanks',
      'select tanks',
      'select record_activity',
      'commit',
    ]);
    expect((await lineOf(traceId))['database_ms']).toBeGreaterThan(0);
    const changed = (await service.logLines()).find(({ msg }) => msg === 'a tank was changed');
    expect(changed?.['trace_id']).toBe(traceId);
  });

  it.each([
    [`/v1/tanks/${fleet.tankId}`, ['tank_by_id']],
    ['/v1/changes?after=latest', ['changes_latest']],
    ['/v1/fleet/tanks?q=ada', [expect.stringMatching(/^fleet_page/)]],
  ])('for %s has its own statements, and not those of others', async (path, expected) => {
    const others = Array.from({ length: 20 }, () => askTraced({ path: '/v1/customers' }));
    const { traceId } = await askTraced({ path });
    await Promise.all(others);
    expect((await traced(traceId)).statements).toEqual(expected);
  });

  it('whose caller has no trace, or one that cannot be, begins a trace', async () => {
    for (const traceparent of ['00-0-0-01', `00-${'0'.repeat(32)}-${CALLERS_SPAN}-01`, 'x'.repeat(8_000)]) {
      const before = keySpans().length;
      await askTraced({ path: '/v1/key', headers: { traceparent } });
      await until('its span is exported', () => keySpans().length > before);
      const span = keySpans().at(-1);
      expect(span?.traceId).toMatch(/^[\da-f]{32}$/);
      expect(span?.parentSpanId ?? '').toBe('');
    }
  });
});

describe('readings and deliveries', () => {
  it('have spans, each delivery one of its own that links to the request with the readings', async () => {
    const at = Date.now() - 3_600_000;
    const readings = [90, 1].map((fill_percentage, i) => ({
      tank_id: fleet.tankId,
      created_at: new Date(at + i * 1_800_000).toISOString(),
      fill_percentage,
    }));
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ readings });
    const sent = await askTraced({ method: 'POST', path: '/v1/telemetry', body, headers });
    expect(sent.status).toBe(200);
    const { root, statements } = await traced(sent.traceId);
    expect(statements).toEqual(['write_readings']);

    const delivery = await exported(({ name }) => name === 'deliver webhook');
    expect(factsOf(delivery)).toEqual({
      'webhook.id': expect.any(String),
      'webhook.event': receiver.received[0]?.id,
      'webhook.tries': 1,
      'webhook.outcome': 'delivered',
      'http.response.status_code': 204,
    });
    const link = expect.objectContaining({ traceId: sent.traceId, spanId: root.spanId });
    expect(delivery.links).toEqual([link]);
    expect(receiver.received[0]?.body).not.toContain(sent.traceId);
  });

  it('are counted by reason, by endpoint and by key', async () => {
    const at = new Date().toISOString();
    const readings = [
      { tank_id: SECRET_VALUE, created_at: at, fill_percentage: 1 },
      { tank_id: fleet.tankId, created_at: at, fill_percentage: 101 },
      { tank_id: fleet.tankId, created_at: at, fill_percentage: -1 },
    ];
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ readings });
    const { traceId } = await askTraced({ method: 'POST', path: '/v1/telemetry', body, headers });
    expect(await lineOf(traceId)).toMatchObject({ status: 400, code: 'readings_refused' });

    let metrics = '';
    await until('the delivery is counted', async () => {
      metrics = await metricsAt(metricsPort);
      return /^webhook_endpoint_deliveries_total\{webhook="[^"]+",outcome="delivered"\} \d+$/m.test(metrics);
    });
    expect(metrics).toContain('readings_refused_total{reason="unknown_tank"} 1\n');
    expect(metrics).toContain('readings_refused_total{reason="invalid_value"} 2\n');
    expect(metrics).toContain(`api_key_requests_total{key="${prefix}"} `);
  });
});

it('what is exported holds no value, no id of a customer or a tank, no secret and no address', () => {
  const all = bodies.join('\n');
  const hidden = [
    SECRET_VALUE,
    secret,
    fleet.tankId,
    fleet.customerId,
    receiver.url,
    environment.WEBHOOK_SECRET_KEY,
  ];
  expect(hidden.filter((value) => all.includes(value))).toEqual([]);
});

/** The part of the bundle that the SDK is in. */
const sdk =
  readdirSync('dist').find(
    (name) =>
      name.endsWith('.js') &&
      readFileSync(`dist/${name}`, 'utf8').includes('maxQueueSize reached, dropping spans'),
  ) ?? '';

async function loads(others: Environment): Promise<boolean> {
  const quiet = await start({ NODE_DEBUG: 'esm', ...others });
  await quiet.stop();
  return (await quiet.output()).includes(sdk);
}

it('the SDK is loaded when an endpoint is named, and only then', async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = urlOf(collector);
  expect(sdk).not.toBe('');
  expect(await loads({ OTEL_EXPORTER_OTLP_ENDPOINT })).toBe(true);
  expect(await loads({ OTEL_SERVICE_NAME: 'tanks' })).toBe(false);
  expect(await loads({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBe(false);
});

it.each([
  ['that is not there', async () => `http://127.0.0.1:${await freePort()}`],
  ['that never answers', async () => urlOf(await listening(() => undefined))],
  ['whose address is none', () => Promise.resolve('no address')],
])('a receiver %s harms nothing', async (_, findUrl) => {
  const tracing = await start({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: await findUrl(),
    OTEL_BSP_SCHEDULE_DELAY: '10',
    OTEL_BSP_MAX_QUEUE_SIZE: '64',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '16',
  });
  const path = `/v1/tanks/${fleet.tankId}`;
  const asked = Array.from({ length: 300 }, () => tracing.get(path, fleet.key));
  expectOnly([200], await Promise.all(asked));

  expect(await tracing.child.terminate()).toMatchObject({ code: 0 });
  const levels = new Set((await tracing.logLines()).map(({ level }) => level));
  expect([...levels].filter((level) => level !== 'info' && level !== 'warn')).toEqual([]);
});
