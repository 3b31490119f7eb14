// What the demo's Swagger UI is prefilled with, sent as it stands: every operation shows data, and those that write leave the fleet as it is.
import { describe, expect, it } from '@jest/globals';
import { judgeAll } from '../../src/alerts/judging.js';
import { startDemo } from '../support/demo.js';
import type { DocumentedOperation, OpenApiDocument } from '../support/openapi.js';
import { chirpStack, send, setSensor } from '../support/uplinks.js';

// Low at once: that is an event.
const { api, sql } = await startDemo(5);
await judgeAll(sql);
await setSensor(sql, 'tank-1', 'em400-udl', null);
await send(api, chirpStack()).expect(200);
/** By operation. */
const answers: Record<string, unknown> = {};
const document = (await api.get('/openapi.json').expect(200)).body as OpenApiDocument;
for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) await tryOut(path, method, operation);
}

/** As Swagger UI does it untouched: with the example, or else the default, of each parameter, and the first example of the body. */
async function tryOut(path: string, method: string, operation: DocumentedOperation): Promise<void> {
  const given = operation.parameters.flatMap(({ name, in: place, schema }) => {
    const value = schema.example ?? schema.default;
    return value === undefined ? [] : [{ name, place, value: `${value as string | number | boolean}` }];
  });
  const address = given
    .filter(({ place }) => place === 'path')
    .reduce((all, { name, value }) => all.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = given.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value]);
  const [type = '', content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const request = api.get(address).query(Object.fromEntries(query));
  request.method = method.toUpperCase();
  if (content !== undefined)
    request.type(type).send(Object.values(content.examples ?? {})[0]?.value as object);
  const { status, body } = await request;
  answers[operation.operationId] = [200, 201].includes(status) ? body : { status, ...body };
}

describe('the examples of the demo', () => {
  it('are answered with data by every operation', () => {
    expect(
      Object.values(answers).filter((answer) => typeof (answer as { code?: string }).code === 'string'),
    ).toEqual([]);
    // To the example's endpoints nothing is ever sent, and to the recipient nothing yet, whichever is tried first.
    const empty = Object.keys(answers).filter(
      (id) => (answers[id] as { total_items?: number }).total_items === 0,
    );
    expect(empty.filter((id) => id !== 'listNotices')).toEqual(['listWebhookDeliveries']);
  });

  it('write to objects of their own', async () => {
    const { rows } = await sql.query(`select id, name, deleted from tanks where owner_id = 'customer-1'`);
    expect(rows).toEqual([{ id: 'tank-1', name: expect.any(String), deleted: false }]);
  });
});
