// Writes with a key that is bound to a customer: its own things, and no way to tell another's from none.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService, type Agent } from '../support/app.js';
import { clear, insertCustomer, insertTank } from '../support/builders.js';
import { fieldsProblem, NEW_CUSTOMER, NEW_TANK, outcomeOf, tagOf } from '../support/manage.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { sql } = service;
let ours: Agent;

const BOUND = problem(
  403,
  'bound_key',
  'This key is bound to a customer: it may change that one, creates, restores and deletes none, and changes no profile.',
);

beforeEach(async () => {
  await clear(sql);
  for (const id of ['ours', 'theirs']) await insertCustomer(sql, { id });
  await insertCustomer(sql, { id: 'gone', deleted: true });
  await insertTank(sql, 'ours', { id: 'our-tank', assigned_device_id: 'our-device' });
  await insertTank(sql, 'theirs', { id: 'their-tank', assigned_device_id: 'their-device' });
  await insertTank(sql, 'theirs', { id: 'their-gone', deleted: true });
  const scopes = ['read', 'customers:write', 'tanks:write'] as const;
  ours = service.agent(await service.createKey({ customerId: 'ours', scopes: [...scopes] }));
});

/** The problem of a new tank with a device that is taken. */
const take = async (assigned_device_id: string) => {
  const taken = { ...NEW_TANK, assigned_device_id };
  return (await ours.post('/v1/tanks').send(taken).expect(409)).body as object;
};
const everything = async () => [
  (await sql.query('select * from customers order by id')).rows,
  (await sql.query('select * from tanks order by id')).rows,
];

describe('customers', () => {
  it('may be changed where the key is bound to them, by PATCH and PUT', async () => {
    await ours.patch('/v1/customers/ours').send({ phone: '1' }).expect(200);
    const put = await ours.put('/v1/customers/ours').send(NEW_CUSTOMER).expect(200);
    expect(put.body).toMatchObject({ ...NEW_CUSTOMER, phone: null, tank_count: 1 });
    expect(tagOf(put)).toBe(tagOf(await ours.get('/v1/customers/ours')));
  });

  it('are not created, restored or deleted, whatever the id, and whatever else is wrong', async () => {
    const before = await everything();
    for (const id of ['theirs', 'gone', 'nobody', 'x'.repeat(300)]) {
      expect(
        (await ours.put(`/v1/customers/${id}?x=1`).type('text/plain').send('x').expect(403)).body,
      ).toEqual(BOUND);
      expect((await ours.delete(`/v1/customers/${id}`).expect(403)).body).toEqual(BOUND);
    }
    expect((await ours.delete('/v1/customers/ours').set('If-Match', '"x"').expect(403)).body).toEqual(BOUND);
    expect((await ours.post('/v1/customers').send({}).expect(403)).body).toEqual(BOUND);
    expect(await everything()).toEqual(before);
  });

  it('of others are a 404 for PATCH, as unknown ones', async () => {
    for (const id of ['theirs', 'gone', 'nobody']) {
      const { body } = await ours
        .patch(`/v1/customers/${id}`)
        .set('If-Match', '"x"')
        .send({ phone: '1' })
        .expect(404);
      expect(body).toEqual(problem(404, 'not_found', 'There is no customer with this id.'));
    }
  });
});

describe('tanks', () => {
  it('of its customer are created, replaced, changed, deleted and restored', async () => {
    const outcomes = [
      await ours.post('/v1/tanks').send(NEW_TANK),
      await ours.put('/v1/tanks/new').send(NEW_TANK),
      await ours.patch('/v1/tanks/our-tank').send({ name: 'x' }),
      await ours.delete('/v1/tanks/our-tank'),
      await ours.put('/v1/tanks/our-tank').send(NEW_TANK),
    ];
    expect(outcomes.map(outcomeOf)).toEqual(['201', '201', '200', '200', '201']);
  });

  it.each(['theirs', 'gone', 'nobody'])('have no other owner: %s', async (owner_id) => {
    const wanted = { ...NEW_TANK, owner_id };
    const answers = [
      await ours.post('/v1/tanks').send(wanted).expect(400),
      await ours.put('/v1/tanks/new').send(wanted).expect(400),
      await ours.patch('/v1/tanks/our-tank').send({ owner_id }).expect(400),
    ];
    const refused = fieldsProblem({ pointer: '/owner_id', detail: `unknown owner: "${owner_id}"` });
    expect(answers.map(({ body }) => body as object)).toEqual([refused, refused, refused]);
  });

  it.each(['their-tank', 'their-gone', 'nobody'])(
    'of others are a 404 for PATCH and DELETE: %s',
    async (id) => {
      const body = problem(404, 'not_found', 'There is no tank with this id.');
      expect(
        (await ours.patch(`/v1/tanks/${id}`).set('If-Match', '*').send({ name: 'x' }).expect(404)).body,
      ).toEqual(body);
      expect((await ours.delete(`/v1/tanks/${id}`).set('If-Match', '*').expect(404)).body).toEqual(body);
    },
  );

  it.each(['their-tank', 'their-gone'])(
    'of others are as none for PUT, and last of all their id is taken: %s',
    async (id) => {
      const before = await everything();
      const put = async (body: object, headers = {}) =>
        outcomeOf(await ours.put(`/v1/tanks/${id}`).set(headers).send(body));
      const { body } = await ours.put(`/v1/tanks/${id}`).send(NEW_TANK).expect(409);
      expect(body).toEqual(problem(409, 'id_taken', 'This id is taken. Choose another one.'));
      expect(await put({ ...NEW_TANK, name: 1 })).toBe('400 invalid_fields');
      expect(await put(NEW_TANK, { 'If-Match': '*' })).toBe('412 precondition_failed');
      expect(await put(NEW_TANK, { 'If-None-Match': '*' })).toBe('409 id_taken');
      expect(await put({ ...NEW_TANK, created_at: '2020-01-01T00:00:00Z' })).toBe('409 id_taken');
      expect(await put({ ...NEW_TANK, owner_id: 'theirs' })).toBe('400 invalid_fields');
      expect(await put({ ...NEW_TANK, assigned_device_id: 'our-device' })).toBe('409 device_taken');
      expect(await put({ ...NEW_TANK, assigned_device_id: 'their-device' })).toBe('409 device_taken');
      expect(await everything()).toEqual(before);
    },
  );

  it('that have a device are named only if the key sees them', async () => {
    expect(await take('our-device')).toMatchObject({ code: 'device_taken', tank_id: 'our-tank' });
    expect(await take('their-device')).not.toHaveProperty('tank_id');
    await insertTank(sql, 'theirs', { id: 'a-first', assigned_device_id: 'our-device' });
    expect(await take('our-device')).toMatchObject({ tank_id: 'our-tank' });
  });
});
