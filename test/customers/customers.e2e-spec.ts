// GET /v1/customers and GET /v1/customers/:id: what a customer looks like, and the email filter. What all lists share is
// in lists.e2e-spec.ts.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import {
  aCustomer,
  aTank,
  clear,
  insertCustomer,
  insertCustomers,
  insertTank,
  insertTanks,
} from '../support/builders.js';
import { parameterProblem, problem } from '../support/problems.js';

const service = await startService();
const { api, sql } = service;
beforeEach(() => clear(sql));

const FULL = {
  id: 'harbor-hotel',
  created_at: '2026-01-31T08:15:30.123Z',
  email: 'office@harbor-hotel.example.com',
  is_verified: true,
  last_seen_at: '2026-10-30T17:42:05.010Z',
  name: 'Harbor Hotel',
  phone: '+1 206 555 0142',
  updated_at: '2026-09-02T11:00:00.000Z',
  verified_at: '2026-02-01T09:30:00.500Z',
};
const BARE = {
  id: 'ada',
  created_at: '2026-03-01T00:00:00.000Z',
  email: 'ada@example.com',
  is_verified: false,
  last_seen_at: null,
  name: 'Ada',
  phone: null,
  updated_at: '2026-03-01T00:00:00.000Z',
  verified_at: null,
};

async function emailsFound(query: Record<string, string>): Promise<string[]> {
  const { body } = await api.get('/v1/customers').query(query).expect(200);
  const found = body as { data: { email: string }[]; total_items: number };
  expect(found.total_items).toBe(found.data.length);
  return found.data.map(({ email }) => email);
}

describe('GET /v1/customers/:id', () => {
  it.each([
    ['that is known well', FULL],
    ['of whom there is nothing to tell', BARE],
    ['who is verified, nobody knows since when', { ...BARE, is_verified: true }],
  ])('shows exactly the documented fields of a customer %s', async (_, customer) => {
    await insertCustomer(sql, customer);

    const { body } = await api.get(`/v1/customers/${customer.id}`).expect(200);

    expect(body).toStrictEqual({ ...customer, object: 'customer', tank_count: 0 });
  });

  it('counts the tanks of the customer, its own and not deleted', async () => {
    await insertCustomers(sql, [aCustomer({ id: 'two' }), aCustomer({ id: 'other' })]);
    await insertTanks(sql, [aTank('two'), aTank('two'), aTank('two', { deleted: true }), aTank('other')]);

    const { body } = await api.get('/v1/customers/two').expect(200);

    expect(body).toMatchObject({ id: 'two', tank_count: 2 });
  });

  it('shows of a deleted customer its id, its type and that it is deleted', async () => {
    await insertCustomer(sql, { ...FULL, deleted: true });

    const { body } = await api.get('/v1/customers/harbor-hotel').expect(200);

    expect(body).toStrictEqual({ id: 'harbor-hotel', object: 'customer', deleted: true });
  });

  it.each(['a/b', 'a b', '100%', 'ü→漢', '..', '?page=2', 'a+b', "'; drop table customers; --"])(
    'finds any id that is escaped: %s',
    async (id) => {
      await insertCustomer(sql, { id });

      expect((await api.get(`/v1/customers/${escaped(id)}`).expect(200)).body).toMatchObject({ id });
    },
  );

  it.each([
    ['unknown', 'nobody'],
    ['of a tank', 'tank'],
    ['in another case', 'ADA'],
    ['with a blank more', 'ada%20'],
    ['with a NUL', 'ada%00'],
    ['longer than any', 'x'.repeat(5000)],
  ])('answers 404 to an id %s', async (_, id) => {
    await insertCustomer(sql, BARE);
    await insertTank(sql, 'ada', { id: 'tank' });

    const { body } = await api.get(`/v1/customers/${id}`).expect(404);

    expect(body).toEqual(problem(404, 'not_found', 'There is no customer with this id.'));
  });

  it('gives a customer without an id a UUIDv7, which increases with time', async () => {
    const insert = "insert into customers (email, name) values ('new@example.com', 'New') returning id";
    const ids: string[] = [];
    for (let i = 0; i < 2; i++) {
      ids.push((await sql.query<{ id: string }>(insert)).rows[0]?.id ?? '');
      await sql.query('select pg_sleep(0.002)'); // the time in the id has milliseconds
    }

    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const { body } = await api.get(`/v1/customers/${id}`).expect(200);
      expect(body).toMatchObject({ id, name: 'New', tank_count: 0 });
    }
    expect(ids).toEqual(ids.toSorted());
  });
});

describe('GET /v1/customers', () => {
  it('lists whole customers in the envelope', async () => {
    await insertCustomers(sql, [aCustomer(FULL), aCustomer(BARE)]);
    await insertTank(sql, 'ada');

    const { body } = await api.get('/v1/customers').expect(200);

    expect(body).toStrictEqual({
      object: 'list',
      data: [
        { ...BARE, object: 'customer', tank_count: 1 },
        { ...FULL, object: 'customer', tank_count: 0 },
      ],
      page: 1,
      size: 10,
      total_pages: 1,
      total_items: 2,
    });
  });

  it('leaves deleted customers out of data and totals', async () => {
    await insertCustomers(sql, [aCustomer({ id: 'live' }), aCustomer({ id: 'gone', deleted: true })]);

    const { body } = await api.get('/v1/customers').expect(200);

    expect(body).toMatchObject({ data: [{ id: 'live' }], total_pages: 1, total_items: 1 });
  });
});

describe('GET /v1/customers?email=', () => {
  it('finds customers with exactly that email, case-sensitive', async () => {
    const emails = ['ada@example.com', 'Ada@example.com', 'ada@example.com.au', ' ada@example.com'];
    await insertCustomers(
      sql,
      emails.map((email) => aCustomer({ email })),
    );

    expect(await emailsFound({ email: 'ada@example.com' })).toEqual(['ada@example.com']);
    expect(await emailsFound({ email: 'Ada@example.com' })).toEqual(['Ada@example.com']);
    expect(await emailsFound({ email: 'ADA@EXAMPLE.COM' })).toEqual([]);
    expect(await emailsFound({ email: 'ada@example.co' })).toEqual([]);
  });

  it('leaves deleted customers out, and combines with a range of created_at', async () => {
    const email = 'shared@example.com';
    const days = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
    await insertCustomers(sql, [
      ...days.map((created_at) => aCustomer({ email, created_at })),
      aCustomer({ email, created_at: '2026-01-02T00:00:00.000Z', deleted: true }),
    ]);

    const range = { email, created_at_gte: '2026-01-02T00:00:00Z', created_at_lte: '2026-01-02T00:00:00Z' };
    expect(await emailsFound(range)).toEqual([email]);
  });

  it.each(['no email', 'a+b', '%', '_', "o'brien@example.com", 'ü@漢.example', 'a\\b', '\u0000'])(
    'takes any string for what it is: %j',
    async (email) => {
      await insertCustomers(sql, [aCustomer(), ...(email === '\u0000' ? [] : [aCustomer({ email })])]);

      expect(await emailsFound({ email })).toEqual(email === '\u0000' ? [] : [email]);
    },
  );

  it('refuses an empty one', async () => {
    const { body } = await api.get('/v1/customers?email=').expect(400);

    const detail = 'must not be empty; leave the parameter out to see all';
    expect(body).toEqual(parameterProblem({ parameter: 'email', detail }));
  });
});

/** encodeURIComponent leaves the dots, which clients take for "the folder above". */
function escaped(id: string): string {
  return encodeURIComponent(id).replaceAll('.', '%2E');
}

describe('GET /v1/customers?q=', () => {
  beforeEach(() =>
    insertCustomers(sql, [
      aCustomer({ name: 'Åkesson & Söner', email: 'info@akesson.example', phone: '+46 8 555' }),
      aCustomer({ name: 'Łódź_100%', email: 'lodz@example.com', phone: null }),
      aCustomer({ name: 'Åkesson', email: 'gone@example.com', deleted: true }),
    ]),
  );

  it.each([
    ['akesson', ['info@akesson.example']],
    ['SONER 555 info', ['info@akesson.example']],
    ['example', ['lodz@example.com', 'info@akesson.example']],
    ['_100%', ['lodz@example.com']],
    ['a%n', []],
    ['łodz', ['lodz@example.com']],
    ['soner lodz', []],
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

  it.each([
    ['', 'must have 2 to 100 characters, not ""'],
    ['a b c d e f', 'must be 1 to 5 words, not "a b c d e f"'],
  ])('refuses %j', async (q, detail) => {
    const { body } = await api.get('/v1/customers').query({ q }).expect(400);
    expect(body).toEqual(parameterProblem({ parameter: 'q', detail }));
  });
});
