// Walking a list gives every item once, however many there are and whoever writes meanwhile.
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  aTank,
  clear,
  insertCustomer,
  insertCustomers,
  insertTank,
  insertTanks,
} from '../support/builders.js';
import { startFronted, type Fate } from './support/front.js';

const { sql, front, tms } = await startFronted();
beforeEach(() => clear(sql));

const NOON = Date.UTC(2026, 3, 1, 12);
const instant = (n: number): string => new Date(NOON + n).toISOString();

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a walk', () => {
  it('gives the whole list in its order, in few requests', async () => {
    // Three of each instant: pages end between those of one.
    const moments = Array.from({ length: 2_500 }, (_, n) => instant(Math.floor(n / 3)));
    const customers = moments.map((created_at) => ({ created_at }));
    await insertCustomers(sql, customers);
    const { rows } = await sql.query<{ id: string }>(
      'select id from customers order by created_at desc, id desc',
    );
    expect((await all(tms.customers.list())).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(front.seen).toHaveLength(3);
  });

  it('keeps to its filter, and can be left early', async () => {
    await insertCustomers(sql, [
      ...Array.from({ length: 5 }, () => ({ email: 'same@example.com' })),
      ...Array.from({ length: 5 }, () => ({})),
    ]);
    const found = await all(tms.customers.list({ email: 'same@example.com', size: 2 }));
    expect(found.map(({ email }) => email)).toEqual(Array(5).fill('same@example.com'));
    let count = 0;
    for await (const customer of tms.customers.list({ size: 3 })) {
      expect(customer.object).toBe('customer');
      if (++count === 4) break;
    }
    expect(count).toBe(4);
  });

  it.each([1, 2, 3, 7, 1_000])(
    'skips nothing and repeats nothing while others write: %i at once',
    async (size) => {
      await insertCustomer(sql, { id: 'ours' });
      // Many of one instant, as imports make them.
      const before = Array.from({ length: 60 }, (_, n) =>
        aTank('ours', { id: `before-${n}`, created_at: instant(n % 4) }),
      );
      await insertTanks(sql, before);
      const removed = new Set<string>();
      const seen: string[] = [];
      for await (const { id } of tms.tanks.list({ size })) {
        seen.push(id);
        const n = seen.length;
        if (n % 2 === 0 && n < 80)
          await insertTank(sql, 'ours', { id: `${n % 7}-${n}`, created_at: instant(n % 5) });
        const victim = `before-${(n * 13) % 60}`;
        if (n % 3 === 0) {
          removed.add(victim);
          await sql.query('update tanks set deleted = true where id = $1', [victim]);
        }
      }
      expect(new Set(seen).size).toBe(seen.length);
      const missing = before.filter(({ id }) => !seen.includes(id) && !removed.has(id));
      expect(missing.map(({ id }) => id)).toEqual([]);
    },
  );

  it('misses nothing of more than a page can hold at one instant, while others delete', async () => {
    const table = 'quarantined_uplinks';
    await sql.query(
      `insert into ${table} (id, created_at, source, device_id, sent_at, reason, payload)
       select 'u-' || n, $1::timestamptz, 'tts', 'd-' || n, $1::timestamptz, 'unknown_device', '{}'
       from generate_series(1, 10050) n`,
      [instant(0)],
    );
    const remove = `delete from ${table} where id in (select id from ${table} order by id desc limit 20)`;
    const found = await foundWhile(remove, async () => (await all(tms.uplinks.list())).map(({ id }) => id));
    expect(await notAmong(found, `select id from ${table}`)).toEqual([]);
  });
});

/** What a walk gives though others write just before its second page is read; nothing twice. */
async function foundWhile(statement: string, walk: () => Promise<string[]>): Promise<Set<string>> {
  let isWritten = false;
  front.reset(async (_n, { path }): Promise<Fate> => {
    if (/[?&]page=2\b/.test(path) && !isWritten) {
      isWritten = true;
      await sql.query(statement);
    }
    return 'answered';
  });
  const found = await walk();
  expect(isWritten).toBe(true);
  expect(new Set(found).size).toBe(found.length);
  return new Set(found);
}

async function notAmong(found: ReadonlySet<string>, statement: string): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(statement);
  return rows.map(({ id }) => id).filter((id) => !found.has(id));
}

describe("the fleet's tanks", () => {
  it('come all, however many there are, while their places change', async () => {
    await insertCustomer(sql, { id: 'ours' });
    await sql.query(
      `insert into tanks (id, owner_id, created_at, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
       select 't-' || n, 'ours', timestamptz '2026-01-01Z' + n * interval '1 second', 'n', 'd-' || n, 1, 'liters', 0
       from generate_series(1, 10050) n`,
    );
    const remove = `
      update tanks set deleted = true
      where id in (select id from tanks where not deleted order by created_at desc, id desc limit 20)`;
    const found = await foundWhile(remove, async () =>
      (await all(tms.fleet.tanks.list({ sort: 'created_at' }))).map(({ tank_id }) => tank_id),
    );
    expect(await notAmong(found, 'select id from tanks where not deleted')).toEqual([]);
    await sql.query('truncate tanks cascade'); // to delete so many one by one takes long
  });
});
