// The OpenAPI document and Swagger UI; and that the tests' own look at the document is as strict as it claims.
import { describe, expect, it, jest } from '@jest/globals';
import { SwaggerModule } from '@nestjs/swagger';
import { readFile } from 'node:fs/promises';
import { startService } from '../support/app.js';
import { clear, insertCustomer } from '../support/builders.js';
import { operationsOf } from '../support/operations.js';
import { ResponseValidator, type SeenResponse } from '../support/openapi.js';

const service = await startService();
const open = service.agent();

const OPERATIONS = operationsOf(service.document, 'unknown');
interface Documented {
  readonly [keyword: string]: unknown;
}

/** Every object in the document, with the way to it. */
function* parts(value: unknown, way: string): Generator<[way: string, part: Documented]> {
  if (typeof value !== 'object' || value === null) return;
  yield [way, value as Documented];
  for (const [name, inner] of Object.entries(value)) yield* parts(inner, `${way}/${name}`);
}

describe('GET /openapi.json', () => {
  it('is open to everyone, and the document that is committed', async () => {
    const committed: unknown = JSON.parse(
      await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'),
    );

    const { body, headers } = await open.get('/openapi.json').expect(200);

    expect(body).toStrictEqual(committed);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('is built once, and not for an address or a method that there is not', async () => {
    const { api } = await startService();
    const builds = jest.spyOn(SwaggerModule, 'createDocument');

    await api.get('/nowhere').expect(404);
    await api.delete('/v1/tanks').expect(405);
    await api.options('/v1/tanks').expect(204);
    expect(builds).toHaveBeenCalledTimes(0);
    for (const path of ['/openapi.json', '/docs/swagger-ui-init.js', '/openapi.json'])
      await api.get(path).expect(200);
    expect(builds).toHaveBeenCalledTimes(1);
    builds.mockRestore();
  });

  it.each(OPERATIONS)(
    'describes what every request may fail with: $method $template',
    ({ template, documented }) => {
      const alike = documented.responses['default']?.content?.['application/problem+json'];
      const scoped = ['/v1/key', '/v1/me'].includes(template) ? [] : ['403'];
      expect(Object.keys(alike?.examples ?? {})).toEqual(
        expect.arrayContaining(['401', ...scoped, '429', '500', '503']),
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
              content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookMessage' } } },
            },
          },
        },
      },
    });
    const text = JSON.stringify(body).replaceAll(/"x-line-schema":\{"\$ref":"[^"]*"\}/g, '');
    const names = Object.keys(service.document.components.schemas);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });

  it('describes each operation, its tags and parameters, and pages with their range and default', () => {
    const tags = service.document.tags
      .filter(({ description }) => description !== '')
      .map(({ name }) => name);
    for (const { documented, method, template } of OPERATIONS) {
      expect(documented.description).toMatch(/\w/);
      expect(tags).toEqual(expect.arrayContaining([...documented.tags]));
      const ofQuery = documented.parameters.filter((parameter) => parameter.in === 'query');
      for (const parameter of ofQuery) {
        const required = `${method} ${template}` === 'DELETE /v1/tanks/{id}/telemetry';
        expect(parameter).toMatchObject({ required, description: expect.stringMatching(/\w/) });
      }
      const schemaOf = (wanted: string) => ofQuery.find(({ name }) => name === wanted)?.schema;
      if (schemaOf('page') === undefined) continue;
      expect(schemaOf('page')).toMatchObject({ type: 'integer', minimum: 1, default: 1 });
      expect(schemaOf('size')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
    }
  });

  it('shows with each body an example of it', () => {
    const validator = new ResponseValidator(service.document);
    const shown = OPERATIONS.flatMap(({ documented, method, template }) => {
      const { schema, examples = {} } = documented.requestBody?.content['application/json'] ?? { schema: {} };
      return Object.values(examples).map(({ value }) => ({ of: `${method} ${template}`, schema, value }));
    });

    expect(shown.length).toBeGreaterThan(30);
    const wrong = shown.flatMap(({ of, schema, value }) => {
      try {
        validator.assertValid(schema, value);
        return [];
      } catch (error) {
        // A time that is sent need not be in UTC with milliseconds.
        const said = String(error).replaceAll(/data\S* must match format "date-time"(, )?/g, '');
        return said === 'Error: ' ? [] : [`${of}: ${said}`];
      }
    });
    expect(wrong).toEqual([]);
  });

  it('has no null among the values of a list: generators make a name of each', () => {
    const lists = [...parts(service.document, '')].filter(([, { enum: values }]) => Array.isArray(values));
    expect(lists.length).toBeGreaterThan(10);
    expect(lists.filter(([, { enum: values }]) => (values as unknown[]).includes(null))).toEqual([]);
  });

  it.each([
    ['ApiKey', (key: string) => ({ 'X-API-Key': key })],
    ['Bearer', (key: string) => ({ Authorization: `Bearer ${key}` })],
    ['Basic', (key: string) => ({ Authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}` })],
  ])('names a way for a key that there is: %s', async (name, headersFor) => {
    expect(service.document.components.securitySchemes).toHaveProperty(name);
    expect(service.document.security).toContainEqual({ [name]: [] });
    await open.get('/v1/key').set(headersFor(service.key)).expect(200);
  });

  it('describes the headers of limits, on every answer to a caller with a key', () => {
    for (const { documented } of OPERATIONS) {
      for (const [status, { headers = {} }] of Object.entries(documented.responses)) {
        if (!/^2|default/.test(status)) continue;
        for (const name of ['RateLimit', 'RateLimit-Policy'])
          expect(headers[name]).toEqual({ $ref: `#/components/headers/${name}` });
      }
    }
    expect(Object.keys(service.document.components.headers)).toEqual(['RateLimit', 'RateLimit-Policy']);
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
  it('is at /docs, open to everyone, and knows no key unless it is the demo', async () => {
    const { headers, text } = await open.get('/docs').expect(200);
    const { text: script } = await open.get('/docs/swagger-ui-init.js').expect(200);

    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<title>Tank Monitoring Service</title>');
    expect(script).not.toContain('authorize(');
    expect(script).not.toMatch(/tms_[\w-]+\.[\w-]{43}/);
  });
});

describe("the tests' look at a response", () => {
  it.each<[string, object, Partial<SeenResponse>]>([
    ['a field too many', { secret: 1 }, {}],
    ['a field too few', { phone: undefined }, {}],
    ['a null that may not be', { name: null }, {}],
    ['a time without milliseconds', { created_at: '2026-01-31T08:15:30Z' }, {}],
    ['a status nobody described', {}, { status: 206 }],
    ['an error that is no problem', {}, { status: 404 }],
    ['no request id', {}, { headers: { 'content-type': 'application/json' } }],
  ])('refuses %s', async (_name, fields, change) => {
    await insertCustomer(service.sql, { id: 'a' });
    const response = await service.raw({ path: '/v1/customers/a' });
    await clear(service.sql);

    const text = JSON.stringify({ ...(JSON.parse(response.text) as object), ...fields });
    const validator = new ResponseValidator(service.document);
    expect(() => validator.check({ ...response, text, ...change })).toThrow('breaks the OpenAPI document');
  });
});
