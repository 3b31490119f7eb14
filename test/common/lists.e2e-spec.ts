// What every list promises: newest first, stable pages, exact totals, ranges inclusive to the millisecond.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { aCustomer, aTank, clear, insertCustomers, insertTanks } from '../support/builders.js';
import { createdAts, EMPTY_LIST, LISTS, momentsOf } from '../support/lists.js';

const service = await startService();
const { api, sql } = service;

describe.each(LISTS)('the list of $name', (list) => {
  const newestFirst = momentsOf(25);

  describe('with 25 items', () => {
    beforeEach(() => list.fill(service, newestFirst.toReversed()));

    it.each([
      [{}, { page: 1, size: 10, total_pages: 3 }],
      [{ size: 1 }, { page: 1, size: 1, total_pages: 25 }],
      [{ page: 3 }, { page: 3, size: 10, total_pages: 3 }],
      [
        { page: 5, size: 5 },
        { page: 5, size: 5, total_pages: 5 },
      ],
      [{ size: 100 }, { page: 1, size: 100, total_pages: 1 }],
      [{ page: 4 }, { page: 4, size: 10, total_pages: 3 }],
      [{ page: 9007199254740991 }, { page: 9007199254740991, size: 10, total_pages: 3 }],
    ])('asked for %j shows that page, newest first, with true totals', async (query, told) => {
      const { body } = await api.get(list.path).query(query).expect(200);

      expect(body).toEqual({ object: 'list', data: expect.any(Array), ...told, total_items: 25 });
      const { page, size } = told;
      expect(createdAts(body)).toEqual(newestFirst.slice((page - 1) * size, page * size));
    });

    it.each(['9007199254740992', '9'.repeat(400)])('has no page %s', async (page) => {
      const { body } = await api.get(list.path).query({ page }).expect(400);

      const detail = expect.stringContaining('must be a whole number from 1 to 9007199254740991');
      expect(body).toMatchObject({ code: 'invalid_parameters', errors: [{ parameter: 'page', detail }] });
    });

    it('pages and counts inside a range, both bounds included', async () => {
      const range = { created_at_gte: newestFirst[20], created_at_lte: newestFirst[3] };

      const { body } = await api
        .get(list.path)
        .query({ ...range, page: 2, size: 9 })
        .expect(200);

      expect(createdAts(body)).toEqual(newestFirst.slice(12, 21));
      expect(body).toMatchObject({ page: 2, size: 9, total_items: 18, total_pages: 2 });
    });

    it('is empty, with no pages, when gte lies after lte or there are no items', async () => {
      const upsideDown = { created_at_gte: newestFirst[3], created_at_lte: newestFirst[4] };
      expect((await api.get(list.path).query(upsideDown).expect(200)).body).toStrictEqual(EMPTY_LIST);

      await list.fill(service, []);
      expect((await api.get(list.path).expect(200)).body).toStrictEqual(EMPTY_LIST);
    });
  });

  it('shows times as UTC with milliseconds, whatever zeros they end with', async () => {
    const ends = ['000', '100', '120', '123'].map((end) => `2026-01-01T00:00:00.${end}Z`);
    const times = [...ends, '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
    await list.fill(service, times);

    const { body } = await api.get(list.path).expect(200);

    expect(createdAts(body)).toEqual(times.toSorted().toReversed());
  });
});

describe('items created at the same instant', () => {
  // In the order lists show them: byte by byte, whatever the locale of the database.
  const ids = ['é', 'z', 'b', 'a', 'Z', 'A-2', 'A-10', 'A-1', 'A', '9', '10', '1', '-'];
  const created_at = '2026-01-01T00:00:00.000Z';

  beforeEach(async () => {
    await clear(sql);
    const owner = aCustomer({ created_at: '2025-01-01T00:00:00.000Z' });
    await insertCustomers(sql, [owner, ...ids.map((id) => ({ id, created_at }))]);
    const tanks = ids.map((id) => aTank(owner, { id, created_at }));
    await insertTanks(sql, tanks);
  });

  it.each(['/v1/customers', '/v1/tanks'])('come by id, descending, in %s, on pages too', async (path) => {
    const seen: string[] = [];
    for (let page = 1; page <= 7; page++) {
      const { body } = await api.get(path).query({ created_at_gte: created_at, page, size: 2 }).expect(200);
      seen.push(...(body as { data: { id: string }[] }).data.map(({ id }) => id));
    }

    expect(seen).toEqual(ids);
  });
});

describe('links', () => {
  it('repeat a very long parameter once, in the one that is needed to go on', async () => {
    await clear(sql);
    await insertCustomers(sql, [{}, {}, {}]);
    const size = `${'0'.repeat(6_000)}1`;
    const linkOf = async (page: number) =>
      (await api.get('/v1/customers').query({ page, size }).expect(200)).headers['link'];

    expect(await linkOf(1)).toBe(`</v1/customers?page=2&size=${size}>; rel="next"`);
    expect(await linkOf(3)).toBe(`</v1/customers?page=1&size=${size}>; rel="first"`);
  });

  it('fit into the 16 KB of headers that programs take, however long an email', async () => {
    for (const length of [2_000, 4_000, 8_000, 12_000, 13_500]) {
      const answer = await fetch(`${service.url}/v1/customers?email=${'x'.repeat(length)}`, {
        headers: { 'X-API-Key': service.key },
      });
      await answer.text();
      expect([length, answer.status]).toEqual([length, 200]);
      expect(answer.headers.get('link')?.length ?? 0).toBeLessThan(14_001);
    }
  });
});
