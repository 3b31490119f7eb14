// Customers that are created, replaced, changed, deleted and restored over HTTP.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { clear, insertCustomer, insertTank } from '../support/builders.js';
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
const withEmail = (characters: number) => ({ ...NEW_CUSTOMER, email: '🛢'.repeat(characters) });
const rows = async () => (await sql.query('select *, xmin from customers order by id')).rows as unknown[];

beforeEach(() => clear(sql));

describe('POST /v1/customers', () => {
  it.each([NEW_CUSTOMER, FULL_CUSTOMER])('creates a customer and tells where it is: %j', async (sent) => {
    const created = await api.post('/v1/customers').send(sent).expect(201);

    const { id } = created.body as { id: string };
    expect(created.body).toEqual(shown(sent, expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(created.headers['location']).toBe(`/v1/customers/${id}`);
    const got = await api.get(`/v1/customers/${id}`).expect(200);
    expect([got.text, tagOf(got)]).toEqual([created.text, tagOf(created)]);
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

    expect(pointersOf(answer)).toEqual([
      '/created_at',
      '/email',
      '/is_verified',
      '/last_seen_at',
      '/name',
      '/phone',
      '/verified_at',
      '/emial',
    ]);
    expect(await rows()).toEqual([]);
  });

  it('counts characters, not bytes', async () => {
    expect(outcomeOf(await api.post('/v1/customers').send(withEmail(320)))).toBe('201');
    expect(outcomeOf(await api.post('/v1/customers').send(withEmail(321)))).toBe('400 invalid_fields');
  });

  it('wants a verified customer for verified_at', async () => {
    const unverified = { ...NEW_CUSTOMER, verified_at: '2026-01-01T00:00:00Z' };
    expect((await api.post('/v1/customers').send(unverified).expect(400)).body).toEqual(NOT_VERIFIED);
    await api
      .post('/v1/customers')
      .send({ ...NEW_CUSTOMER, is_verified: true })
      .expect(201);
  });

  it.each([
    ['a NUL', '"a\\u0000b"', 'name holds a NUL character'],
    ['half a surrogate pair', '"\\ud83d"', 'name holds half a surrogate pair'],
  ])('refuses %s', async (_, name, detail) => {
    const { body } = await api
      .post('/v1/customers')
      .type('application/json')
      .send(`{"email":"e","name":${name}}`)
      .expect(400);

    expect(body).toEqual(fieldsProblem({ pointer: '/name', detail }));
  });
});

it('PUT /v1/customers/:id creates, repeats without a trace, replaces, and restores', async () => {
  const created = await api.put('/v1/customers/c').send(FULL_CUSTOMER).expect(201);
  const before = await rows();
  const again = await api
    .put('/v1/customers/c')
    .send(created.body as object)
    .expect(200);
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

    const changed = await api
      .patch('/v1/customers/c')
      .send({ [name]: value })
      .expect(200);

    expect(changed.body).toEqual({ ...(body as object), [name]: value, updated_at: INSTANT });
    expect(changed.body).not.toMatchObject({ updated_at: (body as { updated_at: string }).updated_at });
  });

  it('clears what may be null', async () => {
    await api.put('/v1/customers/c').send(FULL_CUSTOMER).expect(201);
    const { body } = await api
      .patch('/v1/customers/c')
      .send({ phone: null, last_seen_at: null, verified_at: null });
    expect(body).toEqual(shown({ ...FULL_CUSTOMER, phone: null, last_seen_at: null, verified_at: null }));
  });

  it('knows of verified_at what is stored of is_verified, and the other way round', async () => {
    await api.put('/v1/customers/c').send(NEW_CUSTOMER).expect(201);
    const time = { verified_at: '2026-01-01T00:00:00Z' };
    expect((await api.patch('/v1/customers/c').send(time).expect(400)).body).toEqual(NOT_VERIFIED);
    await api
      .patch('/v1/customers/c')
      .send({ ...time, is_verified: true })
      .expect(200);
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

  it('of a deleted or unknown one is refused', async () => {
    await insertCustomer(sql, { id: 'c', deleted: true });
    expect((await api.patch('/v1/customers/c').send({}).expect(409)).body).toEqual(
      problem(409, 'deleted', 'This customer is deleted; a PUT restores it.'),
    );
    expect((await api.patch('/v1/customers/x').send({}).expect(404)).body).toEqual(
      problem(404, 'not_found', 'There is no customer with this id.'),
    );
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
