// Clients that break off, never read, never close or speak nonsense cost the others nothing, and their places are free again
// within a bound.
import { afterEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { createFleet } from './support/fleet.js';
import { expectSound } from './support/judgement.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);
/** A script of 1.6 MB: 17 of it, as many as may be sent at once, are more than the system buffers for a client. */
const LARGE = '/docs/swagger-ui-bundle.js';
const DEPTH = 17;
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
const service = await ServiceProcess.start({ DATABASE_URL: database.url });

afterEach(() => expectSound(service));

function wire(bytes: string, options = {}, { url }: { readonly url: string } = service): Wire {
  return new Wire(url, bytes, options);
}

function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\n${headers}\r\n`;
}

async function isServed({ url }: { readonly url: string } = service): Promise<boolean> {
  return (await ask(url, { path: '/v1/tanks', headers: fleet.headers })).status === 200;
}

describe('a client that resets its connection', () => {
  it.each([
    ['before it has sent anything', ''],
    ['in its headers', 'GET /v1/tanks HTTP/1.1\r\nHost: ta'],
    ['in its body', get('/v1/tanks', `${FORM}Content-Length: 6\r\n`) + 'pa'],
    ['after its request', get('/v1/tanks')],
    ['after CONNECT', 'CONNECT tanks:443 HTTP/1.1\r\nHost: tanks\r\n\r\n'],
    ['after CONNECT behind a request', `${get('/v1/tanks')}CONNECT tanks:443 HTTP/1.1\r\n\r\n`],
    ['after Upgrade', get('/v1/tanks', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')],
    ['after nonsense', 'nonsense\r\n\r\n'],
    ['behind many requests', get('/openapi.json').repeat(50)],
  ])('%s harms nobody else', async (_, bytes) => {
    // At once, and after the service has seen it: what it does then differs.
    const atOnce = wire(bytes);
    atOnce.socket.once('connect', () => atOnce.reset());
    const later = wire(bytes);
    await until('it is connected', () => later.wasConnected);
    expect(await isServed()).toBe(true);
    later.reset();
    expect(await isServed()).toBe(true);
  });
});

it.each([
  ['nonsense', 'nonsense\r\n\r\n', [400]],
  ['a header that is too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, [431]],
  ['CONNECT, since this is no proxy', 'CONNECT tanks:443 HTTP/1.1\r\nHost: tanks\r\n\r\n', []],
])('what is no request %s ends its connection', async (_, bytes, statuses) => {
  const client = wire(bytes);
  await client.ended();
  expect(client.statuses).toEqual(statuses);
  expect(await isServed()).toBe(true);
});

it.each([
  ['says so', 'Content-Length: 1800000000', 'pa'],
  ['does not say so', 'Transfer-Encoding: chunked', `8000\r\n${'p'.repeat(0x8000)}\r\n`],
])(
  'a body that is too large and %s is refused at once, and the rest of it is not waited for',
  async (_, framing, part) => {
    const client = wire(get('/v1/tanks', `${FORM}${framing}\r\n`) + part);
    await client.answered(1);
    expect(client.statuses).toEqual([413]);
  },
);

it.each([
  ['at once', ''],
  ['after a piece of it', '5\r\nsize=\r\n'],
])(
  'a body that is not well chunked %s is refused, once, and nothing goes wrong with what was reading it',
  async (_, piece) => {
    const client = wire(get('/v1/tanks', `${FORM}Transfer-Encoding: chunked\r\n`) + piece);
    if (piece !== '') await isServed();
    client.socket.write('zz\r\n');
    await client.ended();
    expect(client.statuses).toEqual([400]);
    expect(client.rest).toBe('');
    expect(await isServed()).toBe(true);
  },
);

it('a caller without a key reads its refusal though it is still sending a large body', async () => {
  const head = 'HTTP/1.1\r\nHost: tanks\r\n';
  const length = 8_000_000;
  const client = wire(`POST /v1/telemetry ${head}Content-Length: ${length}\r\n\r\n`);
  await client.answered(1);
  client.socket.write('x'.repeat(length));
  client.socket.write(`GET /v1/tanks ${head}\r\n`);
  await client.answered(2);
  expect([client.statuses, client.error]).toEqual([[401, 401], undefined]);
});

describe('places', () => {
  const few = 20;
  const startSmall = () =>
    startService({
      database,
      environment: { ANSWER_TIMEOUT_MS: '2000' },
      adjust: (config) => ({
        ...config,
        limits: {
          ...config.limits,
          maxConnections: few,
          keepAliveTimeoutMs: 1_000,
          exchangeTimeoutMs: 6_000,
        },
      }),
    });

  it.each([
    ['send nothing', '', {}],
    ['stall in their headers and never close', 'GET /v1/ta', { staysOpen: true }],
    ['asked for a proxy and never close', 'CONNECT tanks:443 HTTP/1.1\r\n\r\n', { staysOpen: true }],
    ['never read their answers', get(LARGE).repeat(DEPTH), { isReading: false }],
    ['asked once and stay', get('/health/live'), { staysOpen: true }],
  ])('of clients that %s are free again', async (_, bytes, options) => {
    const crowded = await startSmall();
    const clients = Array.from({ length: few }, () => wire(bytes, options, crowded));
    await until('all are connected', () => clients.every(({ wasConnected }) => wasConnected));
    await until('somebody else is served', () => isServed(crowded));
    for (const client of clients) client.stop();
    await until('the crowd has left', () => isServed(crowded));
    expect(await isServed(crowded)).toBe(true);
  });

  it('are kept by clients that read slowly but steadily, until they have everything', async () => {
    const patient = await startSmall();
    const asked = get(LARGE).repeat(DEPTH - 1) + get(LARGE, 'Connection: close\r\n');
    const client = wire(asked, { isReading: false }, patient);
    const reading = setInterval(() => client.take(300_000), 100);
    await client.ended(100_000);
    clearInterval(reading);
    expect(client.statuses).toEqual(Array(DEPTH).fill(200));
  });
});
