// The OpenAPI document and Swagger UI; and that the tests' own look at the document is as strict as it claims.
import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { startService } from '../support/app.js';
import { operationsOf } from '../support/operations.js';
import { ResponseValidator, type SeenResponse } from '../support/openapi.js';

const service = await startService();
const open = service.agent();

const OPERATIONS = operationsOf(service.document, 'unknown');
const EXPECTED_STATUSES = {
  GET: ['200', '304', '400', '404', 'default'],
  POST: ['201', '400', '415', 'default'],
  PUT: ['200', '201', '400', '412', '415', 'default'],
  PATCH: ['200', '400', '404', '409', '412', '415', 'default'],
  DELETE: ['200', '400', '404', '412', 'default'],
};
/** These answer a little more, or less. */
const OTHER_STATUSES: Readonly<Record<string, readonly string[]>> = {
  'GET /v1/changes': ['200', '400', '410', 'default'],
  'GET /v1/telemetry': ['200', '400', 'default'],
  'DELETE /v1/tanks/{id}/telemetry': ['200', '400', '404', '409', 'default'],
  'POST /v1/telemetry': ['200', '400', '415', 'default'],
  'POST /v1/tanks': ['201', '400', '409', '415', 'default'],
  'PUT /v1/tanks/{id}': ['200', '201', '400', '409', '412', '415', 'default'],
  'DELETE /v1/customers/{id}': ['200', '400', '404', '409', '412', 'default'],
  'POST /v1/customers/{id}/restore': ['200', '400', '404', '409', '412', '415', 'default'],
  'POST /v1/tanks/{id}/restore': ['200', '400', '404', '409', '412', '415', 'default'],
  'GET /v1/runs/{id}': ['200', '400', '404', 'default'],
  'POST /v1/runs': ['201', '400', '409', '415', 'default'],
  'PUT /v1/runs/{id}': ['200', '201', '400', '409', '412', '415', 'default'],
  'DELETE /v1/runs/{id}': ['200', '400', '404', '409', '412', 'default'],
  'POST /v1/runs/suggest': ['200', '400', '415', 'default'],
  'POST /v1/runs/{id}/order': ['200', '400', '404', '412', '415', 'default'],
  'POST /v1/uplinks/chirpstack': ['200', '400', '415', 'default'],
  'POST /v1/uplinks/tts': ['200', '400', '415', 'default'],
  'POST /v1/uplinks/generic': ['200', '400', '415', 'default'],
  'POST /v1/uplinks/sources/{id}': ['200', '400', '404', '415', 'default'],
  'POST /v1/sources/test': ['200', '400', '415', 'default'],
  'PUT /v1/sources/{id}': ['200', '201', '400', '409', '412', '415', 'default'],
  'DELETE /v1/sources/{id}': ['200', '400', '404', '409', '412', 'default'],
  'POST /v1/sources/{id}/token': ['201', '400', '404', '412', '415', 'default'],
  'POST /v1/uplinks/retry': ['200', '400', '415', 'default'],
  'DELETE /v1/uplinks/{id}': ['200', '400', '404', 'default'],
  'PATCH /v1/sensor_profiles/{id}': ['200', '400', '404', '412', '415', 'default'],
  'DELETE /v1/sensor_profiles/{id}': ['200', '400', '404', '409', '412', 'default'],
  'GET /v1/webhook_endpoints': ['200', '304', '400', '404', '409', 'default'],
  'POST /v1/webhook_endpoints': ['201', '400', '409', '415', 'default'],
  'GET /v1/webhook_endpoints/{id}': ['200', '304', '400', '404', '409', 'default'],
  'DELETE /v1/webhook_endpoints/{id}': ['200', '400', '404', '409', '412', 'default'],
  'GET /v1/webhook_endpoints/{id}/deliveries': ['200', '304', '400', '404', '409', 'default'],
  'POST /v1/webhook_endpoints/{id}/roll_secret': ['200', '400', '404', '409', '412', '415', 'default'],
  'POST /v1/webhook_endpoints/{id}/test': ['200', '400', '404', '409', '412', '415', 'default'],
  'POST /v1/webhook_endpoints/{id}/replay': ['200', '400', '404', '409', '412', '415', 'default'],
  'POST /v1/recipients': ['201', '400', '409', '415', 'default'],
  'POST /v1/recipients/{id}/confirmation': ['200', '400', '404', '409', '412', '415', 'default'],
  'POST /v1/recipients/{id}/test': ['200', '400', '404', '409', '412', '415', 'default'],
  'POST /v1/keys/{prefix}/roll': ['201', '400', '404', '409', '412', '415', 'default'],
  'DELETE /v1/users/{id}': ['200', '400', '404', '409', '412', 'default'],
  'POST /v1/customers/{id}/erase': ['200', '400', '404', '412', '415', 'default'],
  'PUT /v1/tanks/{id}/sensor': ['200', '201', '400', '404', '412', '415', 'default'],
};

interface Documented {
  readonly [keyword: string]: unknown;
}

/** Every object in the document, with the way to it. */
function* parts(value: unknown, way: string): Generator<[way: string, part: Documented]> {
  if (typeof value !== 'object' || value === null) return;
  yield [way, value as Documented];
  for (const [name, inner] of Object.entries(value)) yield* parts(inner, `${way}/${name}`);
}

it('GET / leads to the page', async () => {
  const { headers } = await open.get('/').expect(302);
  expect(headers['location']).toBe('/fleet');
});

describe('GET /openapi.json', () => {
  it('is open to everyone, and the document that is committed', async () => {
    const committed: unknown = JSON.parse(
      await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'),
    );

    const { body, headers } = await open.get('/openapi.json').expect(200);

    expect(body).toStrictEqual(committed);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each(OPERATIONS)(
    'describes $method $template with all it may answer',
    ({ method, template, documented }) => {
      const expected = OTHER_STATUSES[`${method} ${template}`] ?? EXPECTED_STATUSES[method];
      expect(Object.keys(documented.responses)).toEqual(expected);
      const alike = documented.responses['default']?.content?.['application/problem+json'];
      expect(Object.keys(alike?.examples ?? {})).toEqual(
        expect.arrayContaining([
          '401',
          ...(['/v1/key', '/v1/me'].includes(template) ? [] : ['403']),
          '429',
          '500',
          '503',
        ]),
      );
    },
  );

  it('shows with each error status an example of itself', () => {
    const validator = new ResponseValidator(service.document);
    const operations = Object.entries(service.document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    for (const { path, method, operation } of operations) {
      for (const [documented, response] of Object.entries(operation.responses)) {
        if (Number(documented) < 400 || documented === '431') continue; // that has no body
        const body = response.content?.['application/problem+json'];
        const examples = Object.entries(body?.examples ?? { [documented]: { value: body?.example } });
        for (const [name, { value }] of examples) {
          const status = documented === 'default' ? Number(name) : Number(documented);
          expect({ path, method, value }).toMatchObject({ path, method, value: { status } });
          const { request_id: id } = value as { request_id: string };
          const headers = { 'content-type': 'application/problem+json', 'x-request-id': id };
          validator.checkProblem({ method: 'GET', path, status, headers, text: JSON.stringify(value) });
        }
      }
    }
  });

  it.each(OPERATIONS.filter(({ method, template }) => method === 'GET' && template.includes('{id}')))(
    'shows the 404 that $template really answers',
    async ({ path, documented }) => {
      const { body } = await service.api.get(path).expect(404);

      const { detail } = body as { detail: string };
      expect(detail).toMatch(
        /^There is no (customer|event|recipient|run|sensor profile|source|tank|uplink|user|webhook endpoint) with this id\.$/,
      );
      expect(documented.responses['404']).toMatchObject({
        description: 'There is no such object for this key.',
        content: { 'application/problem+json': { example: { detail } } },
      });
    },
  );

  it('describes what webhooks receive, says whom to ask, and has no schema that nothing refers to', async () => {
    const { body } = await open.get('/openapi.json').expect(200);

    expect(body).toMatchObject({
      info: { contact: { name: expect.stringMatching(/\w/) } },
      webhooks: {
        event: {
          post: {
            security: [],
            parameters: ['id', 'timestamp', 'signature'].map((name) => ({
              name: `webhook-${name}`,
              in: 'header',
              required: true,
            })),
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/EventResponse' } } },
            },
          },
        },
      },
    });
    const text = JSON.stringify(body).replaceAll(/"x-line-schema":\{"\$ref":"[^"]*"\}/g, '');
    const names = Object.keys(service.document.components.schemas);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });

  it('asks for the key everywhere but at the probes', () => {
    expect(service.document).toMatchObject({
      security: [{ ApiKey: [] }],
      components: { securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
      paths: {
        '/health/live': { get: { security: [] } },
        '/health/ready': { get: { security: [] } },
      },
    });
  });

  it('describes each operation, and each tag that one has', () => {
    const tags = service.document.tags
      .filter(({ description }) => description !== '')
      .map(({ name }) => name);
    for (const { documented } of OPERATIONS) {
      expect(documented.description).toMatch(/\w/);
      expect(tags).toEqual(expect.arrayContaining([...documented.tags]));
    }
  });

  it('describes each parameter, and pages with their range and default', () => {
    for (const { documented, method, template } of OPERATIONS) {
      const ofQuery = documented.parameters.filter((parameter) => parameter.in === 'query');
      for (const parameter of ofQuery) {
        const required = `${method} ${template}` === 'DELETE /v1/tanks/{id}/telemetry';
        expect(parameter).toMatchObject({ required, description: expect.stringMatching(/\w/) });
      }
      const schemaOf = (wanted: string) => ofQuery.find(({ name }) => name === wanted)?.schema;
      if (schemaOf('page') === undefined) continue;
      expect(schemaOf('page')).toMatchObject({ type: 'integer', minimum: 1, default: 1 });
      expect(schemaOf('size')).toMatchObject({ type: 'integer', minimum: 1, maximum: 10_000, default: 10 });
    }
  });

  it('describes every field, with an example', () => {
    const untold: string[] = [];
    for (const [way, part] of parts(service.document.components.schemas, '')) {
      for (const [name, field] of Object.entries((part['properties'] as Documented | undefined) ?? {})) {
        const { description, example, type } = field as Documented;
        const isNested = type === undefined || type === 'array';
        if (description === undefined || (example === undefined && !isNested)) untold.push(`${way}/${name}`);
      }
    }

    expect(untold).toEqual([]);
  });
});

describe('Swagger UI', () => {
  it('is at /docs, open to everyone', async () => {
    const { headers, text } = await open.get('/docs').expect(200);

    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<title>Tank Monitoring Service</title>');
  });

  it('knows no key unless it is the demo', async () => {
    const { text } = await open.get('/docs/swagger-ui-init.js').expect(200);

    expect(text).not.toContain('"authAction"');
    expect(text).not.toMatch(/tms_[\w-]+\.[\w-]{43}/);
  });
});

function seen(body: object, change: Partial<SeenResponse> = {}): SeenResponse {
  return {
    method: 'GET',
    path: '/v1/customers/a',
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r', etag: 'e' },
    text: JSON.stringify(body),
    ...change,
  };
}

describe("the tests' look at a response", () => {
  const validator = new ResponseValidator(service.document);
  const customer = {
    id: 'a',
    object: 'customer',
    created_at: '2026-01-31T08:15:30.123Z',
    email: 'a@example.com',
    is_verified: false,
    last_seen_at: null,
    name: 'A',
    phone: null,
    tank_count: 0,
    updated_at: '2026-01-31T08:15:30.123Z',
    verified_at: null,
  };
  const trouble = {
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'None.',
    code: 'not_found',
    request_id: 'r',
  };
  const problemHeaders = { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': 'r' };
  const failed = (body: object) => seen(body, { status: 404, headers: problemHeaders });

  const { phone: _, ...withoutPhone } = customer;
  it.each([
    ['a field too many', seen({ ...customer, secret: 1 })],
    ['a field too few', seen(withoutPhone)],
    ['a null that may not be', seen({ ...customer, name: null })],
    ['a number as text', seen({ ...customer, tank_count: '0' })],
    ['a fraction for an integer', seen({ ...customer, tank_count: 0.5 })],
    ['a time without milliseconds', seen({ ...customer, created_at: '2026-01-31T08:15:30Z' })],
    ['a time in another zone', seen({ ...customer, created_at: '2026-01-31T08:15:30.123+00:00' })],
    ['another type of object', seen({ ...customer, object: 'tank' })],
    ['a half-deleted customer', seen({ ...customer, deleted: true })],
    ['a status nobody described', seen(customer, { status: 206 })],
    [
      'another content type',
      seen(customer, { headers: { ...seen({}).headers, 'content-type': 'text/html' } }),
    ],
    ['no ETag', seen(customer, { headers: { ...seen({}).headers, etag: undefined } })],
    ['no request id', seen(customer, { headers: { ...seen({}).headers, 'x-request-id': undefined } })],
    ['an error that is no problem', seen({ message: 'no' }, { status: 404 })],
    ['a problem with a field too many', failed({ ...trouble, stack: 'at …' })],
    ['a problem of another status', failed({ ...trouble, status: 400 })],
    ['a problem of a code nobody knows', failed({ ...trouble, code: 'oops' })],
    ['a problem of another request', failed({ ...trouble, request_id: 'x' })],
  ])('refuses %s', (_name, response) => {
    expect(() => validator.check(response)).toThrow('breaks the OpenAPI document');
  });
});
