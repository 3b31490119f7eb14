// Data and totals of one response come from one snapshot, also while others write: whatever moment a response shows, its
// parts agree with each other.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { aTank, clear, insertCustomer, insertTank, insertTanks } from '../support/builders.js';

const service = await startService({ environment: { DATABASE_POOL_SIZE: '4' } });
const { api, sql } = service;
beforeEach(() => clear(sql));

const ROUNDS = 30;
const READERS = 3;

interface List {
  readonly data: readonly {
    readonly name?: string;
    readonly tank_count?: number;
    readonly created_at: string;
  }[];
  readonly total_items: number;
  readonly total_pages: number;
}

/** Reads over and over while the writer works; gives all that was seen. */
async function readWhile(write: (round: number) => Promise<unknown>, path: string): Promise<List[]> {
  const seen: List[] = [];
  const work = { isDone: false };
  const read = async () => {
    while (!work.isDone) seen.push((await api.get(path).expect(200)).body as List);
  };
  const readers = Array.from({ length: READERS }, read);
  for (let round = 0; round < ROUNDS; round++) {
    await write(round);
    // One response more than there are readers: so one, at least, was asked for after this write.
    const enough = seen.length + READERS + 1;
    await Promise.race([...readers, until(() => seen.length >= enough)]);
  }
  work.isDone = true;
  await Promise.all(readers);
  return seen;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

function assertAgreement(seen: readonly List[], size: number): void {
  for (const { data, total_items, total_pages } of seen) {
    expect(data).toHaveLength(Math.min(total_items, size));
    expect(total_pages).toBe(Math.ceil(total_items / size));
  }
  // A reader that always saw the same would prove nothing.
  expect(new Set(seen.map(({ total_items }) => total_items)).size).toBeGreaterThan(1);
}

describe('one response', () => {
  it('of telemetry has as many as it counts, while readings are written and removed', async () => {
    await insertCustomer(sql, { id: 'owner' });
    await insertTank(sql, 'owner', { id: 'tank' });
    const seen = await readWhile(
      (round) =>
        round % 2 === 0
          ? sql.query(
              "insert into telemetry select key, now() - n * interval '7 hours', 5 from tanks, generate_series(1, 50) n",
            )
          : sql.query('delete from telemetry'),
      '/v1/tanks/tank/telemetry?size=100',
    );

    assertAgreement(seen, 100);
    expect(new Set(seen.map(({ total_items }) => total_items))).toEqual(new Set([0, 50]));
  });

  it('of customers counts their tanks as of the moment it names them', async () => {
    await insertCustomer(sql, { id: 'owner', name: '0' });
    await insertTanks(
      sql,
      Array.from({ length: 5 }, () => aTank('owner', { deleted: true })),
    );
    // The name tells, in the same transaction, how many tanks there are.
    const seen = await readWhile(
      (round) =>
        sql.query(
          `with tanks_now as (update tanks set deleted = $1)
           update customers set name = $2`,
          [round % 2 === 1, round % 2 === 1 ? '0' : '5'],
        ),
      '/v1/customers',
    );

    const stories = new Set(
      seen.flatMap(({ data }) => data.map(({ name, tank_count }) => `${name}:${tank_count}`)),
    );
    expect(stories).toEqual(new Set(['0:0', '5:5']));
  });
});
