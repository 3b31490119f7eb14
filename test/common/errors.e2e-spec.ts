// Every way a request can fail ends in a problem (RFC 9457) that says how to fix the call and shows nothing of the inside.
import { describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import { allowedMethods, hasParameters, operationsOf, requestTo } from '../support/operations.js';
import { problem } from '../support/problems.js';

const ID = 'one';

const service = await startService();
const { api } = service;
await insertCustomer(service.sql, { id: ID });
await insertTank(service.sql, ID, { id: ID });

const OPERATIONS = operationsOf(service.document, ID);
const PATHS = [...new Set(OPERATIONS.map(({ path }) => path))];
const READS = OPERATIONS.filter(({ method }) => method === 'GET');
const READ_PATHS = READS.map(({ path }) => path);
/** Of what is read with parameters. */
const QUERIES = READS.filter(hasParameters).map(({ path }) => path);

/** No cache keeps an error. */
const OF_PROBLEMS = {
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
};
const NO_KEY = problem(401, 'missing_api_key', 'Send your API key in the X-API-Key header.');
const NOT_UTF8 = '"%zz" is not valid percent-encoded UTF-8; write a percent sign as %25.';
const NO_ROUTE = problem(404, 'not_found', 'There is nothing at this address; see /docs for what there is.');

describe('without a key', () => {
  it.each([
    ...OPERATIONS.map(({ method, path }) => [method, path] as const),
    ['GET', '/v1/customers/nobody'],
    ['GET', '/v1/customers?page=0&colour=red'],
    ['GET', '/v1/customers?page=%zz'],
    ['GET', '/v1/customers/%zz'],
    ['GET', '/%'],
    ['GET', '/nowhere'],
    ['GET', '/v2/customers'],
    ['GET', '/docs/nowhere'],
    ['OPTIONS', '/v1/tanks'],
    ['PATCH', '/nowhere'],
  ])('%s %s is a 401 before it is anything else', async (method, path) => {
    const { status, headers, text } = await service.raw({ method, path }, null);

    expect(status).toBe(401);
    expect(headers).toMatchObject({
      ...OF_PROBLEMS,
      'www-authenticate': 'ApiKey realm="Tank Monitoring Service"',
    });
    expect(JSON.parse(text)).toEqual(NO_KEY);
  });
});

it.each([
  ['GET', '/v1/'],
  ['GET', '/v2/customers'],
  ['GET', '/customers'],
  ['GET', '/v1/tanks/one/readings'],
  ['GET', '/docs/nowhere'],
  ['GET', '/health'],
  ['GET', '//v1/customers'],
  ['POST', '/nowhere'],
  ['DELETE', '/nowhere'],
  ['OPTIONS', '/nowhere'],
])('an unknown route is a 404: %s %s', async (method, path) => {
  const { status, headers, text } = await service.raw({ method, path });

  expect(status).toBe(404);
  expect(headers).toMatchObject(OF_PROBLEMS);
  expect(headers).not.toHaveProperty('link');
  expect(JSON.parse(text)).toEqual(NO_ROUTE);
});

describe('a method that an address does not have', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE'];
  const ALLOWED = PATHS.filter((path) => path !== '/v1/sources/test') // which a source may be called, too
    .map((path) => [path, allowedMethods(OPERATIONS, path)] as const);
  const READ_ONLY = 'GET, HEAD, OPTIONS';

  it.each([...ALLOWED, ['/health/live', READ_ONLY], ['/v1/events/nobody', READ_ONLY]] as const)(
    'is a 405 that says what is allowed: %s',
    async (path, allow) => {
      for (const method of METHODS.filter((one) => !allow.split(', ').includes(one))) {
        const { status, headers, text } = await service.raw({ method, path });

        expect(status).toBe(405);
        expect(headers).toMatchObject({ allow });
        const detail = `${method} is not offered here; this address answers ${allow}.`;
        expect(JSON.parse(text)).toEqual(problem(405, 'method_not_allowed', detail));
      }
    },
  );

  it.each(ALLOWED)('can be known beforehand by OPTIONS %s', async (path, allow) => {
    const { status, headers, text } = await service.raw({ method: 'OPTIONS', path });

    expect({ status, allow: headers['allow'], text }).toEqual({ status: 204, allow, text: '' });
  });

  it.each(READ_PATHS)('is not HEAD, which has the headers of a GET and no body: %s', async (path) => {
    const got = await service.raw({ path });
    const { headers, text } = await service.raw({ method: 'HEAD', path });

    expect(text).toBe('');
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control']) {
      expect(headers[name]).toBe(got.headers[name]);
    }
  });
});

describe('a malformed address', () => {
  it.each(['/v1/customers/%', '/v1/tanks/%ff', '/v1/tanks/%c3%28/telemetry', '/%E0%A4%A', '/nowhere/%'])(
    '%s is a 400',
    async (path) => {
      const { status, text } = await service.raw({ path });

      expect(status).toBe(400);
      const detail = 'The address is not valid percent-encoded UTF-8; write a percent sign as %25.';
      expect(JSON.parse(text)).toEqual(problem(400, 'malformed_url', detail));
    },
  );

  it.each(QUERIES)('in the parameters is a 400 that shows where: %s', async (path) => {
    const { status, headers, text } = await service.raw({ path: `${path}?size=10&page=%zz` });

    expect(status).toBe(400);
    expect(headers).toMatchObject(OF_PROBLEMS);
    expect(JSON.parse(text)).toEqual(problem(400, 'malformed_url', NOT_UTF8));
  });
});

describe('a body on a GET', () => {
  const TYPE = 'Send parameters in the query string, or in a body of type application/x-www-form-urlencoded.';
  const LONG = 'The request body may have at most 16384 bytes; send the parameters in the query string.';
  it.each(QUERIES)('of another type than a form, malformed or too large is refused: %s', async (path) => {
    for (const [type, content, refused] of [
      ['application/json', '{"page":2}', problem(400, 'malformed_body', TYPE)],
      ['text/plain', 'page=2', problem(400, 'malformed_body', TYPE)],
      ['multipart/form-data; boundary=x', '--x--', problem(400, 'malformed_body', TYPE)],
      ['form', 'page=%zz', problem(400, 'malformed_body', NOT_UTF8)],
      ['form', `page=${'1'.repeat(20_000)}`, problem(413, 'body_too_large', LONG)],
    ] as const) {
      expect((await api.get(path).type(type).send(content)).body).toEqual(refused);
    }
  });

  it.each([
    ['an encoding nobody knows', ['Content-Encoding', 'nonsense']],
    ['gzip that is none', ['Content-Encoding', 'gzip']],
    ['a charset nobody knows', ['Content-Type', 'application/x-www-form-urlencoded; charset=nonsense']],
  ] as const)('in %s is a 400', async (_, header) => {
    const type = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
    const headers = header[0] === 'Content-Type' ? [header] : [type, header];

    const { status, text } = await service.raw({ path: '/v1/tanks', headers, body: 'page=1' });

    expect(status).toBe(400);
    const detail = 'The request body could not be read; send the parameters in the query string.';
    expect(JSON.parse(text)).toEqual(problem(400, 'malformed_body', detail));
  });
});

describe('a request that is hardly HTTP', () => {
  it('is answered although it names no host', async () => {
    const { status } = await service.bytes('GET /v1/tanks HTTP/1.1\r\nConnection: close\r\n\r\n');

    expect(status).toBe(401);
  });
});

describe('an address written in full', () => {
  it('is answered as if the host were not there', async () => {
    const { status, headers } = await service.raw({ path: 'http://tanks.example.com/v1/tanks?size=1' });

    expect(status).toBe(200);
    expect(headers['link']).toContain('</v1/tanks?page=1&size=1>; rel="first"');
  });

  it.each(['http://', 'http://tanks.example.com', '*', '//?@#=1'])(
    'without a path is still behind the key: %s',
    async (path) => {
      expect(await service.status(path, null)).not.toBe(200);
      expect(await service.status(path)).toBeLessThan(500);
    },
  );
});

it('a defect of the service is a 500 that shows nothing of the inside', async () => {
  await service.sql.query('alter function customers_locate rename to gone');

  const { body, text } = await api.get('/v1/customers').expect(500);
  await service.sql.query('alter function gone rename to customers_locate');

  const detail = 'Something went wrong on our side. Quote the request_id when you report it.';
  expect(body).toEqual(problem(500, 'internal_error', detail));
  expect(text).not.toMatch(/customers_locate|function|select|\.ts|\.js/);
});

it('a database out of reach is a 503 to try again after, and no longer one when it is back', async () => {
  const cut = await startService();
  const name = new URL(cut.database.url).pathname.slice(1);
  // Nobody may log in any more, and whoever had is thrown out.
  const allow = (whether: boolean) =>
    service.sql.query(`alter database ${name} allow_connections ${whether}`);
  const key = await cut.createKey({ scopes: SCOPES });
  expect(await cut.status('/v1/customers', key)).toBe(200);
  await allow(false);
  const throwOut = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
  await service.sql.query(throwOut, [name]);

  const asking = OPERATIONS.filter(({ template }) => template !== '/v1/me'); // that says what is known of the key
  for (const request of [...asking.map(requestTo), { path: '/health/ready' }]) {
    const { status, headers, text } = await cut.raw(request, key);

    expect([request, status, headers['retry-after']]).toEqual([request, 503, '1']);
    const detail = 'The data cannot be reached right now; try again shortly.';
    expect(JSON.parse(text)).toEqual(problem(503, 'database_unavailable', detail));
  }
  await cut.api.get('/health/live').expect(200);

  await allow(true);
  await cut.api.get('/v1/customers').expect(200);
  await cut.api.get('/health/ready').expect(200);
});
