// What every operation that changes something promises, whatever it changes: parameters, types and sizes of bodies, and If-Match. A new
// one is in the document, and so in these tests.
import { describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import { hasParameters, operationsOf, requestTo, type Operation } from '../support/operations.js';
import type { RawRequest } from '../support/raw.js';

const service = await startService();
const { sql } = service;
const key = await service.createKey({ scopes: SCOPES });
const api = service.agent(key);

await insertCustomer(sql, { id: 'c' });
await insertTank(sql, 'c', { id: 't' });
await sql.query("insert into users (id, issuer, subject, email) values ('u', 'i', 's', 'e@example.com')");
const made = async (path: string, body: object, field = 'id') =>
  ((await api.post(path).send(body).expect(201)).body as Record<string, string>)[field] ?? '';
await api.put('/v1/sensor_profiles/p').send({ name: 'P', level: { path: 'l', unit: 'percent' } });
await api.put('/v1/tanks/t/sensor').send({ profile_id: 'p' });
await api.put('/v1/sources/s').send({ name: 'S', device: { path: 'id' } });
await api.put('/v1/runs/r').send({ date: '2026-11-24', stops: [{ tank_id: 't', planned: 1 }] });

/** One of each kind, by the first word of its address. */
const THERE: Readonly<Record<string, string>> = {
  customers: 'c',
  tanks: 't',
  users: 'u',
  sensor_profiles: 'p',
  sources: 's',
  runs: 'r',
  webhook_endpoints: await made('/v1/webhook_endpoints', { url: 'https://example.com/' }),
  recipients: await made('/v1/recipients', { email: 'a@example.com' }),
  keys: await made('/v1/keys', { name: 'K' }, 'prefix'),
};

const pathOf = (template: string) =>
  template
    .replace('{tank_id}', 't')
    .replaceAll(/(\w+)\/\{\w+\}/g, (_, kind: string) => `${kind}/${THERE[kind] ?? 'x'}`);
const changes = operationsOf(service.document, 'x')
  .filter(({ method }) => method !== 'GET')
  .map((operation) => ({ ...operation, path: pathOf(operation.template) }));
const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [`${operation.method} ${operation.template}`, operation] as const);

/** What is answered to the documented request when this is otherwise. */
async function outcome(operation: Operation, otherwise: Partial<RawRequest>): Promise<string> {
  const { status, text } = await service.raw({ ...requestTo(operation), ...otherwise }, key);
  return `${status} ${(JSON.parse(text) as { code?: string }).code}`;
}

describe('a change without parameters', () => {
  it.each(named(changes.filter((one) => !hasParameters(one))))('has none: %s', async (_, operation) => {
    const path = `${operation.path}?nonsense=1`;
    expect(await outcome(operation, { path })).toBe('400 invalid_parameters');
  });
});

describe('a change with a body', () => {
  const withBody = changes.filter(
    ({ documented: { requestBody } }) => requestBody?.content['application/json'] !== undefined,
  );

  it.each(named(withBody))('takes JSON of a bounded size: %s', async (_, operation) => {
    const json = [['Content-Type', 'application/json']] as const;
    const broken = { headers: json, body: '[' };
    expect(await outcome(operation, broken)).toBe('400 malformed_body');
    const large = { headers: json, body: ' '.repeat(2_200_000) };
    expect(await outcome(operation, large)).toBe('413 body_too_large');
    const plain = { headers: [['Content-Type', 'text/plain']] as const, body: '{}' };
    expect(await outcome(operation, plain)).toBe('415 unsupported_media_type');
  });
});

describe('a change of what is not as If-Match says', () => {
  const guarded = changes.filter(({ documented }) => documented.responses['412'] !== undefined);

  it.each(named(guarded))('is refused: %s', async (_, operation) => {
    const { headers = [] } = requestTo(operation);
    const conditional: RawRequest['headers'] = [...headers, ['If-Match', '"x"']];
    expect(await outcome(operation, { headers: conditional })).toBe('412 precondition_failed');
  });
});
