// The headers of responses: caching, tracing, links between pages, security, CORS, compression.
import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startService, type TestService } from '../support/app.js';
import { insertCustomers, insertReadings, insertTank } from '../support/builders.js';
import type { SeenResponse } from '../support/openapi.js';
import { momentsOf } from '../support/lists.js';

const service = await startService();
const { api } = service;

const times = momentsOf(25);
const EMAIL = 'a+b&c@example.com';
const ofEmail = { email: EMAIL };
const customers = times.map((created_at, i) => ({ id: `c${i}`, created_at, ...(i < 15 && ofEmail) }));
await insertCustomers(service.sql, customers);
await insertTank(service.sql, 'c0', { id: 'tank' });
const readings = times.map((created_at) => ({ created_at, fill_percentage: 1 }));
await insertReadings(service.sql, 'tank', readings);

const OPERATIONS = [
  '/v1/customers',
  '/v1/customers/c0',
  '/v1/tanks',
  '/v1/tanks/tank',
  '/v1/tanks/tank/telemetry',
];

/** What is no API but answers all the same. */
const DOCUMENTS = ['/openapi.json', '/docs', '/docs/swagger-ui.css', '/fleet'];

describe('caching', () => {
  it.each(OPERATIONS)('must ask again before an answer is used again: %s', async (path) => {
    const { headers } = await api.get(path).expect(200);

    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  it.each([...OPERATIONS, ...DOCUMENTS])(
    'gets a 304 without a body while nothing changed, whatever it asks of caches: %s',
    async (path) => {
      const { headers } = await api.get(path).expect(200);

      for (const directive of ['no-cache', 'max-age=0', 'No-Cache, no-store']) {
        const asked = { 'If-None-Match': headers['etag'] ?? '', 'Cache-Control': directive };
        const again = await api.get(path).set(asked).expect(304);
        expect(again.text).toBe('');
        expect(again.headers).toMatchObject({
          etag: headers['etag'],
          'cache-control': headers['cache-control'],
        });
      }
    },
  );

  it('finds its tag among others, strong or weak, and in a star', async () => {
    const weak = String((await api.get('/v1/customers').expect(200)).headers['etag']);
    const strong = weak.replace(/^W\//, '');
    const statusTo = async (tags: string) =>
      (await api.get('/v1/customers').set('If-None-Match', tags)).status;

    for (const tags of [weak, `"a", ${weak}`, strong, `W/"x",${strong} , "y"`, '*']) {
      expect([tags, await statusTo(tags)]).toEqual([tags, 304]);
    }
    for (const tags of [`"a", "b"`, `x${weak}`, '"*"']) {
      expect([tags, await statusTo(tags)]).toEqual([tags, 200]);
    }
  });
});

describe('an ETag', () => {
  it.each([
    ['/v1/tanks?size=0', 400, 'GET'],
    ['/v1/tanks/nothing', 404, 'GET'],
    ['/nowhere', 404, 'GET'],
    ['/docs/nothing.css', 404, 'GET'],
    ['/v1/tanks', 405, 'DELETE'],
    ['/v1/tanks', 204, 'OPTIONS'],
    ['/%', 400, 'GET'],
    ['/', 302, 'GET'],
  ])('is not on %s, a %i', async (path, status, method) => {
    for (const tag of ['*', '"x"']) {
      const answer = await service.raw({ method, path, headers: [['If-None-Match', tag]] });

      expect(answer.status).toBe(status);
      expect(answer.headers).not.toHaveProperty('etag');
    }
  });
});

const NEW_ID = /^[\w-]{36}$/;

describe('X-Request-Id', () => {
  it.each(['abc', 'A-1_b.c:d/e=f@g+h', '0'.repeat(128)])('is kept when it is sane: %s', async (id) => {
    const ok = await api.get('/v1/tanks').set('X-Request-Id', id).expect(200);
    const failed = await api.get('/v1/tanks/nothing').set('X-Request-Id', id).expect(404);

    expect(ok.headers['x-request-id']).toBe(id);
    expect(failed.headers['x-request-id']).toBe(id);
    expect(failed.body).toMatchObject({ request_id: id });
  });

  it.each([
    ['empty', ['']],
    ['with blanks', ['a b']],
    ['with markup', ['<script>']],
    ['too long', ['0'.repeat(129)]],
    ['with other letters', ['é']],
    ['there twice', ['a', 'b']],
  ])('is replaced when it is %s', async (_, ids) => {
    const headers = ids.map((id) => ['X-Request-Id', id] as const);
    const answer = await service.raw({ path: '/v1/tanks', headers });

    expect(answer.headers['x-request-id']).toMatch(NEW_ID);
  });
});

describe('every response', () => {
  it.each([
    ...OPERATIONS,
    ...DOCUMENTS,
    '/v1/tanks/nothing',
    '/nowhere',
    '/%',
    '/docs/swagger-ui.css',
    '/health/live',
  ])('has an id of its own and what browsers need for safety, not what it runs on: %s', async (path) => {
    const [{ headers }, second] = [await service.raw({ path }), await service.raw({ path })];

    expect(second.headers['x-request-id']).not.toBe(headers['x-request-id']);
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(NEW_ID),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'strict-transport-security': 'max-age=31536000', // for this host only
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('ratelimit'); // unless it is configured
  });

  it('allows no script but our own', async () => {
    const { headers } = await service.raw({ path: '/docs' });
    const policy = String(headers['content-security-policy']);

    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe|\*/);
  });
});

/** The relations of a page's Link header (RFC 8288), and where they lead. */
async function links(pathAndQuery: string): Promise<Record<string, string>> {
  const { headers } = await api.get(pathAndQuery).expect(200);
  const found = (headers['link'] ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"(?:, |$)/g);
  return Object.fromEntries([...found].map(([, target, relation]) => [relation, target]));
}

describe('Link', () => {
  it.each([
    [1, { next: 2 }],
    [2, { prev: 1, next: 3 }],
    [3, { prev: 2 }],
    [4, { prev: 3 }],
    [Number.MAX_SAFE_INTEGER, { prev: 3 }],
  ])('leads from page %d of 3 to the first and last one, and to %j', async (page, near) => {
    const pages = Object.entries({ first: 1, last: 3, ...near });
    expect(await links(`/v1/customers?page=${page}`)).toEqual(
      Object.fromEntries(pages.map(([relation, to]) => [relation, `/v1/customers?page=${to}`])),
    );
  });

  it('leads nowhere else in an empty list', async () => {
    expect(await links('/v1/customers?email=nobody')).toEqual({
      first: '/v1/customers?page=1&email=nobody',
      last: '/v1/customers?page=1&email=nobody',
    });
  });

  it('keeps the other parameters of the query string, escaped', async () => {
    const email = encodeURIComponent(EMAIL);
    const { next } = await links(
      `/v1/customers?size=4&email=${email}&created_at_lte=2026-12-31T00:00:00%2B02:00`,
    );

    const parameters = new URL(next ?? '', service.url).searchParams;
    expect(Object.fromEntries(parameters)).toEqual({
      page: '2',
      size: '4',
      email: EMAIL,
      created_at_lte: '2026-12-31T00:00:00+02:00',
    });
  });
});

/** What a browser asks before it lets a page of another origin call us. */
function preflight(on: TestService, origin: string): Promise<SeenResponse> {
  const headers = [
    ['Origin', origin],
    ['Access-Control-Request-Method', 'GET'],
    ['Access-Control-Request-Headers', 'X-API-Key'],
  ] as const;
  return on.raw({ method: 'OPTIONS', path: '/v1/tanks', headers }, null);
}

describe('CORS', () => {
  const origin = 'https://app.example.com';
  it('is closed unless configured', async () => {
    const { headers } = await api.get('/v1/tanks').set('Origin', origin).expect(200);

    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect((await preflight(service, origin)).status).toBe(401);
  });

  it('lets the configured origins in, and no other', async () => {
    const open = await startService({ environment: { CORS_ORIGINS: origin } });

    const asked = await preflight(open, origin);
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS',
      'access-control-allow-headers':
        'X-API-Key,Authorization,X-Request-Id,If-Match,If-None-Match,Content-Type,Content-Encoding',
    });
    const stranger = await preflight(open, 'https://evil.example.com');
    expect(stranger.headers['access-control-allow-origin']).not.toBe('https://evil.example.com');

    const { headers } = await open.api.get('/v1/tanks').set('Origin', origin).expect(200);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringMatching(
        /Link.*X-Request-Id,X-Total-Items,X-Total-Pages/,
      ),
      vary: expect.stringContaining('Origin'),
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    const refused = await open.agent().get('/v1/tanks').set('Origin', origin).expect(401);
    expect(refused.headers['access-control-allow-origin']).toBe(origin); // it may read why
  });
});

const LIST = '/v1/customers?size=20';
const SMALL = '/v1/customers/c1';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Without decompressing what comes. */
async function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> {
  const asked = request(`${service.url}${path}`, {
    method,
    headers: { 'x-api-key': service.key, ...headers },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

const plain = (await service.raw({ path: LIST })).text;

describe('a long answer', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is compressed for a caller who accepts %s', async (encoding, decompress) => {
    const { status, headers, body } = await ask(LIST, { 'accept-encoding': encoding });

    expect({ status, encoding: headers['content-encoding'] }).toEqual({ status: 200, encoding });
    expect(headers.vary).toMatch(/Accept-Encoding/);
    expect(body.length).toBeLessThan(plain.length / 2);
    expect(decompress(body).toString()).toBe(plain);
  });

  it.each([
    {},
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'gzip;q=0, br;q=0' },
    { 'accept-encoding': 'zstd' },
  ])('is left as it is for whoever does not ask: %j', async (asked) => {
    const { headers, body } = await ask(LIST, asked);

    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(plain)));
    expect(headers.vary).toMatch(/Accept-Encoding/);
    expect(body.toString()).toBe(plain);
  });

  it('has one ETag, compressed or not, and is a 304 to it either way', async () => {
    const { headers: plainHeaders } = await ask(LIST, {});
    const { headers: gzipHeaders } = await ask(LIST, { 'accept-encoding': 'gzip' });
    const etag = plainHeaders.etag ?? '';

    expect(gzipHeaders.etag).toBe(etag);
    expect(etag).toMatch(/^W\//);
    for (const asked of [{}, { 'accept-encoding': 'gzip, br' }]) {
      const { status, headers, body } = await ask(LIST, { ...asked, 'if-none-match': etag });
      expect({ status, etag: headers.etag, length: body.length }).toEqual({ status: 304, etag, length: 0 });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(headers.vary).toMatch(/Accept-Encoding/);
    }
  });

  it('tells no length to a HEAD whose GET would be compressed', async () => {
    const { headers } = await ask(LIST, { 'accept-encoding': 'gzip' }, 'HEAD');

    expect(headers).not.toHaveProperty('content-length');
    expect((await ask(LIST, {}, 'HEAD')).headers['content-length']).toBe(String(Buffer.byteLength(plain)));
  });
});

it('a short answer is not compressed: it would not become shorter', async () => {
  const { headers, body } = await ask(SMALL, { 'accept-encoding': 'gzip, br' });

  expect(headers).not.toHaveProperty('content-encoding');
  expect(headers['content-length']).toBe(String(body.length));
});
