// Random requests, as raw bytes: every one is answered, never by a 5xx, and every error is a problem that leaks nothing.
// Each response is held against the OpenAPI document. When it fails, fast-check prints the seed and the request.
import { expect, it } from '@jest/globals';
import { fc } from '../support/cases.js';
import { fileURLToPath } from 'node:url';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertReadings, insertTank } from '../support/builders.js';
import type { SeenResponse } from '../support/openapi.js';
import { operationsOf } from '../support/operations.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';
import type { RawRequest } from '../support/raw.js';

const service = await startService();
const OPERATIONS = operationsOf(service.document, '');
const allowedKey = await service.createKey({ scopes: SCOPES });
await insertCustomer(service.sql, { id: 'customer', email: 'ada@example.com' });
await insertTank(service.sql, 'customer', { id: 'tank' });
await insertReadings(service.sql, 'tank', [
  { created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 10 },
  { created_at: '2026-01-02T00:00:00.000Z', fill_percentage: 20 },
]);

const REQUESTS = 2000;

const GARBAGE_KEY = `tms_abcdefgh.${'s'.repeat(43)}`;
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** What only the inside knows: stack traces, SQL, paths of ours, the names of what we are made of. */
const INSIDE =
  /node_modules|\/src\/|\.ts:\d|\.js:\d|\n\s+at |syntax error|_locate|telemetry_page|telemetry_series|typeorm|SQLSTATE|ECONN/i;

const nasty = fc.constantFrom(
  '',
  '%',
  '%00',
  '%zz',
  '%c3%28',
  '%2e%2e%2f',
  '../../package.json',
  '\u0000',
  "' or 1=1 --",
  '"; drop table tanks',
  '<script>alert(1)</script>',
  '${7*7}',
  '__proto__',
  '1e309',
  '9'.repeat(40),
  'x'.repeat(3000),
  'é漢😀',
  '%ED%A0%80',
  '*',
  '{}',
  '#',
  '\\',
);
const text = fc.oneof(nasty, fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 10 }));

const id = fc.oneof(fc.constantFrom('customer', 'tank', 'unknown'), text, text.map(encodeWell));
const operation = fc
  .tuple(fc.constantFrom(...OPERATIONS), id)
  .map(([{ method, template }, one]) => ({ method, path: template.replace('{id}', () => one) }));
/** Beside those of operations. */
const ADDRESSES = `
  / * // /V1/Customers/ /v1/customers/ /health/live /health/ready /health /docs /openapi.json
  http://elsewhere.example.com/v1/tanks http:// /favicon.ico /.env /v1/%63ustomers`
  .trim()
  .split(/\s+/);
const path = fc.oneof(
  { weight: 9, arbitrary: operation.map((one) => one.path) },
  { weight: 1, arbitrary: fc.array(text, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`) },
  { weight: 1, arbitrary: text.map((rest) => `/docs/${rest}`) },
  { weight: 1, arbitrary: fc.constantFrom(...ADDRESSES) },
);

const PARAMETERS = new Set(
  OPERATIONS.flatMap(({ documented }) => documented.parameters.map((one) => one.name)),
);
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PARAMETERS) },
  { weight: 1, arbitrary: text },
);
const value = fc.oneof(
  fc.constantFrom('1', '2', '101', 'true', '1h', '2026-01-01', 'ada@example.com'),
  fc.constantFrom('2026-01-31T08:15:30+02:00', '0000-01-01', '9999-12-31T23:59:59.9999-23:59', '2026-02-30'),
  fc.nat().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  text,
);
const parameters = fc
  .array(
    fc
      .tuple(name, value, fc.boolean())
      .map(([key, content, isEscaped]) =>
        isEscaped ? `${encodeWell(key)}=${encodeWell(content)}` : `${key}=${content}`,
      ),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.join('&'));

const HEADERS = `
  Accept Accept-Encoding Accept-Language Authorization Cookie If-Match If-None-Match
  If-Modified-Since Origin Range Referer X-Forwarded-For X-Forwarded-Host X-HTTP-Method-Override
  X-Request-Id X-API-Key Host Expect TE Upgrade Content-Encoding Content-Type`
  .trim()
  .split(/\s+/);
const headerValue = fc.oneof(
  text,
  fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '=', '/', '*', ' '), maxLength: 30 }),
);
const header = fc.oneof(
  fc.tuple(fc.constantFrom(...HEADERS), headerValue),
  fc.constantFrom<[string, string]>(
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Type', 'application/x-www-form-urlencoded; charset=utf-16'],
    ['Content-Type', 'application/json'],
    ['Content-Encoding', 'gzip'],
    ['Accept-Encoding', '*'],
    ['Accept-Encoding', 'gzip'],
    ['Expect', '100-continue'],
    ['If-None-Match', '*'],
    ['Range', 'bytes=0-1'],
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['X-Request-Id', 'kept-by-us'],
  ),
);

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'),
  },
  { weight: 1, arbitrary: fc.constantFrom('PROPFIND', 'M-SEARCH', 'get', 'JUMP', 'G E T') },
);
/** Perhaps readings, though of no tank there is. */
const sent = fc.record(
  { tank_id: text, device_id: text, created_at: value, fill_percentage: fc.oneof(fc.double(), value) },
  { requiredKeys: [] },
);
const body = fc.oneof(
  parameters,
  text,
  fc.json({ maxDepth: 2 }),
  fc.array(sent, { maxLength: 3 }).map((readings) => JSON.stringify({ readings })),
  fc.constant('x'.repeat(20_000)),
);
const request = fc
  .record({
    target: fc.oneof(
      { weight: 1, arbitrary: operation },
      { weight: 2, arbitrary: fc.record({ method, path }) },
    ),
    query: parameters,
    headers: fc.array(header, { maxLength: 4 }),
    body: fc.option(body, { nil: undefined, freq: 2 }),
  })
  .map(({ target, query, ...rest }) => ({
    ...rest,
    method: target.method,
    path: query === '' ? target.path : `${target.path}?${query}`,
  }));
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constant(allowedKey) },
  { weight: 1, arbitrary: fc.constantFrom(null, '', GARBAGE_KEY, 'garbage') },
);

/** encodeURIComponent refuses half a character; a Buffer makes it a whole one. */
function encodeWell(content: string): string {
  return encodeURIComponent(Buffer.from(content).toString());
}

function assertHarmless(response: SeenResponse): void {
  const { status, headers, text: answer, path: asked } = response;
  expect(status).toBeLessThan(500);
  const isDocumentation = asked.toLowerCase().startsWith('/docs') || asked === '/' || asked.startsWith('/?');
  // Swagger UI is HTML and its script has stack traces of its own to look for.
  const [type, told] = isDocumentation && status < 400 ? ['', ''] : [String(headers['content-type']), answer];
  expect(type).not.toContain('html');
  expect(told).not.toMatch(INSIDE);
  expect(told).not.toContain(PROJECT);
  const everything = answer + JSON.stringify(headers);
  expect(everything).not.toContain(allowedKey.slice(allowedKey.indexOf('.')));
  expect(everything).not.toContain(GARBAGE_KEY);
}

it(
  'a random request is answered, never by a 5xx, and told no more than it may know',
  async () => {
    const property = fc.asyncProperty(request, key, async (asked: RawRequest, as) => {
      assertHarmless(await service.raw(asked, as));
    });
    expect(await holds(property, REQUESTS)).toBe(true);
  },
  PROPERTY_TIMEOUT_MS,
);
