// What the demo's Swagger UI is prefilled with, sent as it stands: every operation shows data, and those that write leave the fleet as it is.
import { describe, expect, it } from '@jest/globals';
import { judgeAll } from '../../src/alerts/judging.js';
import { SCOPES } from '../../src/common/auth/scope.js';
import { findExamples, makeWritableExamples } from '../../src/demo/demo-examples.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import { createTestDatabase } from '../support/test-database.js';
import type { DocumentedOperation, OpenApiDocument } from '../support/openapi.js';
import { keysOf, openOperator } from '../support/operator.js';
import { chirpStack, send, setSensor } from '../support/uplinks.js';

const database = await createTestDatabase();
const operator = await openOperator(database.url);
const demoKey = await keysOf(operator).create({
  name: 'demo',
  customerId: null,
  expiresAt: null,
  scopes: SCOPES,
});
const service = await startService({ database, demoKey, examples: () => findExamples(operator) });
const api = service.agent(demoKey);
await insertCustomer(service.sql, { id: 'customer-1' });
await insertTank(service.sql, 'customer-1', { id: 'tank-1' });
await makeWritableExamples(operator);
// Low at once: that is an event.
const reading = { tank_id: 'tank-1', created_at: new Date().toISOString(), fill_percentage: 5 };
await api
  .post('/v1/telemetry')
  .send({ readings: [reading] })
  .expect(200);
await judgeAll(service.sql);
await setSensor(service.sql, 'tank-1', 'em400-udl', null);
await send(api, chirpStack()).expect(200);
/** By operation. */
const answers: Record<string, unknown> = {};
const document = (await api.get('/openapi.json').expect(200)).body as OpenApiDocument;
for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) await tryOut(path, method, operation);
}
await operator.destroy();

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
    const { rows } = await service.sql.query(
      `select id, name, deleted from tanks where owner_id = 'customer-1'`,
    );
    expect(rows).toEqual([{ id: 'tank-1', name: expect.any(String), deleted: false }]);
  });
});
