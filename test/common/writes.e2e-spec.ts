// What every operation that changes something promises, whatever it changes: parameters, types and sizes of bodies, and If-Match. A new
// one is in the document, and so in these tests.
import { describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import { hasParameters, operationsOf, requestTo, type Operation } from '../support/operations.js';
import { pointersOf } from '../support/manage.js';
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

describe('a text', () => {
  const LONG = 'é'.repeat(256);
  const level = { path: 'l', unit: 'percent' };
  const tank = { name: 'T', owner_id: 'c', capacity: 1, capacity_unit: 'liters' };

  it('of a new object has at most 255 characters, which is said with whatever else is wrong', async () => {
    const faults = async (path: string, body: object) =>
      pointersOf(await api.post(path).send(body).expect(400));
    const customer = { email: '', name: LONG, phone: LONG };
    expect(await faults('/v1/customers', customer)).toEqual(['/email', '/name', '/phone']);
    const wrong = { ...tank, name: LONG, custom_id: LONG, capacity: 0 };
    expect(await faults('/v1/tanks', wrong)).toEqual(['/capacity', '/custom_id', '/name']);
    const location = { city: LONG, street: LONG.slice(1) };
    expect(await faults('/v1/tanks', { ...tank, location })).toEqual(['/location/city']);
    await api
      .post('/v1/tanks')
      .send({ ...tank, name: LONG.slice(1), location: { city: LONG.slice(1) } })
      .expect(201);
  });

  it.each([
    ['customers', 'c', 'name', { phone: '1' }],
    ['tanks', 't', 'city', { capacity: 7 }],
    ['sensor_profiles', 'p', 'name', { level: { ...level, path: 'm' } }],
    ['sources', 's', 'name', { device: { path: 'other' } }],
  ])('of %s that is longer stays, and holds up no other change', async (kind, id, column, change) => {
    await sql.query(`update ${kind} set ${column} = $1 where id = $2`, [LONG, id]);
    const path = `/v1/${kind}/${id}`;
    const { body: read } = (await api.get(path).expect(200)) as { body: object };
    expect(JSON.stringify(read)).toContain(LONG);
    await api
      .put(path)
      .send({ ...read, ...change })
      .expect(200);
    await api.patch(path).send(change).expect(200);

    const longer = column === 'city' ? { location: { city: `${LONG}e` } } : { [column]: `${LONG}e` };
    const pointer = column === 'city' ? '/location/city' : `/${column}`;
    for (const answer of [
      await api.patch(path).send(longer),
      await api.put(path).send({ ...read, ...longer }),
    ])
      expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
    expect(JSON.stringify((await api.get(path)).body)).toContain(`"${LONG}"`);
    await api
      .patch(path)
      .send(column === 'city' ? { location: null } : { [column]: 'short' })
      .expect(200);
  });

  it('is so in the document, of what is sent alone', () => {
    const { schemas } = service.document.components as unknown as {
      schemas: Record<string, { properties: Record<string, { maxLength?: number }> }>;
    };
    for (const [name, field] of [
      ['CustomerInput', 'phone'],
      ['TankInput', 'name'],
      ['LocationInput', 'city'],
      ['SentSource', 'name'],
      ['TankPatch', 'custom_id'],
    ] as const)
      // prettier-ignore
      expect([name, schemas[name]?.properties[field]?.maxLength]).toEqual([name, 255]);
    expect(schemas['TankResponse']?.properties['name']?.maxLength).toBeUndefined();
  });
});
