// Customers: how they are found, and how they are created, shown, replaced, changed and deleted. What all lists share
// is in common/lists, what all writes share in tanks/write-requests.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { clear, insertCustomer, insertCustomers, insertTank } from '../support/builders.js';
import {
  fieldsProblem,
  FULL_CUSTOMER,
  NEW_CUSTOMER,
  outcomeOf,
  pointersOf,
  tagOf,
} from '../support/manage.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { sql } = service;
const api = service.agent(await service.createKey({ scopes: SCOPES }));
beforeEach(() => clear(sql));

async function emailsFound(query: Record<string, string>): Promise<string[]> {
  const { body } = await api.get('/v1/customers').query(query).expect(200);
  const found = body as { data: { email: string }[]; total_items: number };
  expect(found.total_items).toBe(found.data.length);
  return found.data.map(({ email }) => email);
}

describe('GET /v1/customers?email=', () => {
  it('finds customers with exactly that email, case-sensitive', async () => {
    const emails = ['ada@example.com', 'Ada@example.com', 'ada@example.com.au', ' ada@example.com'];
    const customers = emails.map((email) => ({ email }));
    await insertCustomers(sql, customers);

    expect(await emailsFound({ email: 'ada@example.com' })).toEqual(['ada@example.com']);
    expect(await emailsFound({ email: 'Ada@example.com' })).toEqual(['Ada@example.com']);
    expect(await emailsFound({ email: 'ADA@EXAMPLE.COM' })).toEqual([]);
    expect(await emailsFound({ email: 'ada@example.co' })).toEqual([]);
  });

  it('leaves deleted customers out, and combines with a range of created_at', async () => {
    const email = 'shared@example.com';
    const days = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
    await insertCustomers(sql, [
      ...days.map((created_at) => ({ email, created_at })),
      { email, created_at: '2026-01-02T00:00:00.000Z', deleted: true },
    ]);

    const range = { email, created_at_gte: '2026-01-02T00:00:00Z', created_at_lte: '2026-01-02T00:00:00Z' };
    expect(await emailsFound(range)).toEqual([email]);
  });
});

describe('GET /v1/customers?q=', () => {
  beforeEach(() =>
    insertCustomers(sql, [
      { name: 'Åkesson & Söner', email: 'info@akesson.example', phone: '+46 8 555' },
      { name: 'Łódź_100%', email: 'lodz@example.com', phone: null },
      { name: 'Åkesson', email: 'gone@example.com', deleted: true },
      { name: 'Hauptstr. 9', email: 'street@example.net', phone: '0664 / 123 45 67' },
    ]),
  );

  it.each([
    ['akesson', ['info@akesson.example']],
    ['SONER 555 info', ['info@akesson.example']],
    ['example', ['street@example.net', 'lodz@example.com', 'info@akesson.example']],
    ['_100%', ['lodz@example.com']],
    ['a%n', []],
    ['łodz', ['lodz@example.com']],
    ['soner lodz', []],
    ['+43 664 1234567', ['street@example.net']],
    ['06641234568', []],
    ['hauptstraße', ['street@example.net']],
    ['a\0b', []],
    ['x'.repeat(100), []],
  ])('%s is found word by word in name, email and phone', async (q, emails) => {
    expect(await emailsFound({ q })).toEqual(emails);
  });

  it('combines with the email and the range, and a bound key finds itself only', async () => {
    expect(await emailsFound({ q: 'example', email: 'lodz@example.com' })).toEqual(['lodz@example.com']);
    expect(await emailsFound({ q: 'example', created_at_lte: '2000-01-01' })).toEqual([]);
    const { rows } = await sql.query(`select id from customers where email = 'lodz@example.com'`);
    const key = await service.createKey({ customerId: rows[0]?.id });
    const own = await service.agent(key).get('/v1/customers?q=example').expect(200);
    expect(own.body).toMatchObject({ data: [{ email: 'lodz@example.com' }], total_items: 1 });
  });
});

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NOT_VERIFIED = fieldsProblem({
  pointer: '/verified_at',
  detail: 'verified_at must be null unless is_verified is true',
});

const shown = (fields: object, id: unknown = 'c') => ({
  id,
  object: 'customer',
  created_at: INSTANT,
  email: '',
  is_verified: false,
  last_seen_at: null,
  name: '',
  phone: null,
  tank_count: 0,
  updated_at: INSTANT,
  verified_at: null,
  ...fields,
});
const rows = async () => (await sql.query('select *, xmin from customers order by id')).rows as unknown[];

describe('POST /v1/customers', () => {
  it.each([NEW_CUSTOMER, FULL_CUSTOMER])('creates a customer and tells where it is: %j', async (sent) => {
    const created = await api.post('/v1/customers').send(sent).expect(201);

    const { id } = created.body as { id: string };
    expect(created.body).toEqual(shown(sent, expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(created.headers['location']).toBe(`/v1/customers/${id}`);
    const got = await api.get(`/v1/customers/${id}`).expect(200);
    expect([got.text, tagOf(got)]).toEqual([created.text, tagOf(created)]);
  });

  it.each(['/v1/customers/', '/V1/Customers'])('tells where it is when it was asked for %s', async (path) => {
    const { headers } = await api.post(path).send(NEW_CUSTOMER).expect(201);
    expect((await api.get(headers['location'] ?? '')).status).toBe(200);
  });

  it('names all that is wrong, in the order of the fields', async () => {
    const wrong = {
      verified_at: '2026-01-31',
      phone: 7,
      name: '',
      last_seen_at: 5,
      is_verified: 'yes',
      email: '',
      created_at: 0,
      emial: 'x',
    };
    const answer = await api.post('/v1/customers').send(wrong).expect(400);

    const known = ['created_at', 'email', 'is_verified', 'last_seen_at', 'name', 'phone', 'verified_at'];
    expect(pointersOf(answer)).toEqual([...known, 'emial'].map((field) => `/${field}`));
    expect(await rows()).toEqual([]);
  });

  it('wants a verified customer for verified_at', async () => {
    const unverified = { ...NEW_CUSTOMER, verified_at: '2026-01-01T00:00:00Z' };
    expect((await api.post('/v1/customers').send(unverified).expect(400)).body).toEqual(NOT_VERIFIED);
    const verified = { ...NEW_CUSTOMER, is_verified: true };
    await api.post('/v1/customers').send(verified).expect(201);
  });
});

it('PUT /v1/customers/:id creates, repeats without a trace, replaces, and restores', async () => {
  const created = await api.put('/v1/customers/c').send(FULL_CUSTOMER).expect(201);
  const before = await rows();
  const asShown = created.body as object;
  const again = await api.put('/v1/customers/c').send(asShown).expect(200);
  expect([again.text, await rows()]).toEqual([created.text, before]);

  const { created_at } = created.body as { created_at: string };
  expect((await api.put('/v1/customers/c').send(NEW_CUSTOMER).expect(200)).body).toEqual(
    shown({ ...NEW_CUSTOMER, created_at }),
  );
  await api.delete('/v1/customers/c').expect(200);
  expect((await api.put('/v1/customers/c').send(FULL_CUSTOMER).expect(201)).body).toEqual(
    shown({ ...FULL_CUSTOMER, created_at }),
  );
  expect((await api.get('/v1/customers')).body).toMatchObject({ total_items: 1 });
});

describe('PATCH /v1/customers/:id', () => {
  it.each(
    Object.entries({ ...FULL_CUSTOMER, email: 'x', name: 'y' }).filter(([name]) => name !== 'verified_at'),
  )('changes %s, and nothing else', async (name, value) => {
    const { body } = await api.put('/v1/customers/c').send(NEW_CUSTOMER).expect(201);

    const change = { [name]: value };
    const changed = await api.patch('/v1/customers/c').send(change).expect(200);

    expect(changed.body).toEqual({ ...(body as object), [name]: value, updated_at: INSTANT });
    expect(changed.body).not.toMatchObject({ updated_at: (body as { updated_at: string }).updated_at });
  });

  it('knows of verified_at what is stored of is_verified, and the other way round', async () => {
    await api.put('/v1/customers/c').send(NEW_CUSTOMER).expect(201);
    const time = { verified_at: '2026-01-01T00:00:00Z' };
    expect((await api.patch('/v1/customers/c').send(time).expect(400)).body).toEqual(NOT_VERIFIED);
    const both = { ...time, is_verified: true };
    await api.patch('/v1/customers/c').send(both).expect(200);
    await api.patch('/v1/customers/c').send({ verified_at: '2026-01-02T00:00:00Z' }).expect(200);
    expect((await api.patch('/v1/customers/c').send({ is_verified: false }).expect(400)).body).toEqual(
      NOT_VERIFIED,
    );
    await api.patch('/v1/customers/c').send({ is_verified: false, verified_at: null }).expect(200);
  });

  it('of a customer that an import gave an empty name changes other fields', async () => {
    await insertCustomer(sql, { id: 'c', name: '' });
    expect(outcomeOf(await api.patch('/v1/customers/c').send({ phone: '1' }))).toBe('200');
  });
});

describe('DELETE /v1/customers/:id', () => {
  it('deletes one without tanks, and again is the same answer', async () => {
    await insertCustomer(sql, { id: 'c' });
    await insertTank(sql, 'c', { deleted: true });
    const key = await service.createKey({ customerId: 'c' });
    const deleted = await api.delete('/v1/customers/c').expect(200);

    expect(deleted.body).toEqual({ id: 'c', object: 'customer', deleted: true });
    const again = await api.delete('/v1/customers/c').expect(200);
    const got = await api.get('/v1/customers/c').expect(200);
    expect([again.text, tagOf(again)]).toEqual([got.text, tagOf(got)]);
    expect((await api.get('/v1/customers')).body).toMatchObject({ total_items: 0 });
    expect(await service.status('/v1/tanks', key)).toBe(401);
  });

  it('is refused while it has live tanks', async () => {
    await insertCustomer(sql, { id: 'c' });
    for (const id of ['1', '2']) await insertTank(sql, 'c', { id });
    const before = await rows();

    const { body } = await api.delete('/v1/customers/c').expect(409);

    const detail = 'This customer owns tanks. Delete them or give them to another customer first.';
    expect(body).toEqual({ ...problem(409, 'owns_tanks', detail), tank_count: 2 });
    expect(await rows()).toEqual(before);
    for (const id of ['1', '2']) await api.delete(`/v1/tanks/${id}`).expect(200);
    await api.delete('/v1/customers/c').expect(200);
  });
});
