// Reads of the same moment travel to PostgreSQL together, and none suffers for another.
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/platform/config/config.js';
import { readPoolOptions } from '../../src/platform/database/data-source.js';
import { openPool } from '../../src/platform/database/pool.js';
import { Reads } from '../../src/platform/database/reads.js';
import { RowsInParts } from '../../src/platform/database/rows-in-parts.js';
import { until } from '../faults/support/until.js';
import { openDatabase } from '../support/operator.js';

const { url, sql } = await openDatabase({ max: 1, idleTimeoutMillis: 0 });
const config = loadConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '2' });
const pool = openPool(readPoolOptions(url, config));
const reads = new Reads(pool, config.limits.maxWaitingRequests);
afterAll(() => pool.end());

/** Other specs' databases are on the same server. */
const WAITING = `
  pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

const LOCK = { name: 'lock', text: 'select $1::int as lock, pg_advisory_lock_shared($1::int)::text as done' };

describe('reads of the same moment', () => {
  it('fail by themselves: companions are answered', async () => {
    const divide = { name: 'divide', text: 'select 12 / $1::int as share' };
    const outcomes = await Promise.allSettled([3, 0, 4, 6].map((by) => reads.rows(divide, [by])));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: [{ share: 4 }] },
      { status: 'rejected', reason: expect.objectContaining({ message: 'division by zero' }) },
      { status: 'fulfilled', value: [{ share: 3 }] },
      { status: 'fulfilled', value: [{ share: 2 }] },
    ]);
  });

  it('do not wait in vain one after the other: what ran out for the first is over for all', async () => {
    await sql.query('select pg_advisory_lock(7)');
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => reads.rows(LOCK, [7])));
    await until('the server has come to the second, for which nobody waits any more', async () => {
      const waiting = await sql.query(`select from ${WAITING}`);
      return waiting.rowCount === 1;
    });
    await sql.query('select pg_advisory_unlock(7)');

    const lockTimeout = expect.objectContaining({ cause: expect.objectContaining({ code: '55P03' }) });
    expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: lockTimeout })));
  });

  it('outlive a connection that is lost under way', async () => {
    await sql.query('select pg_advisory_lock(2)');
    const answers = Promise.all([1, 2, 3].map((number) => reads.rows(LOCK, [number])));
    await until('it is cut', async () => {
      const cut = await sql.query(`select pg_terminate_backend(pid) from ${WAITING}`);
      return cut.rowCount === 1;
    });
    await sql.query('select pg_advisory_unlock(2)');

    expect(await answers).toEqual([1, 2, 3].map((lock) => [{ lock, done: '' }]));
  });

  it('do not wait for one that may take long', async () => {
    await sql.query('select pg_advisory_lock(4)');
    const long = reads.rows(LOCK, [4], true);
    expect(await reads.rows(LOCK, [5])).toEqual([{ lock: 5, done: '' }]);
    await sql.query('select pg_advisory_unlock(4)');
    expect(await long).toEqual([{ lock: 4, done: '' }]);
  });
});

it.each([
  ['a page', 2_000, 2_100, false],
  ['a large page', 8_000, 8_300, true],
])('%s is read in parts when it has more than its bytes', async (_, kilobytes, tooMany, isLarge) => {
  const letters = { name: 'letters', text: `select repeat('x', 1024) as x from generate_series(1, $1::int)` };
  expect(await reads.page(letters, [kilobytes], isLarge)).toHaveLength(kilobytes);

  const page = await reads.page(letters, [tooMany], isLarge);
  if (!(page instanceof RowsInParts)) throw new Error('It is in memory.');
  let read = 0;
  await page.read(
    ({ length }) => length,
    async (parts) => {
      for await (const rows of parts()) read += rows;
    },
  );
  expect(read).toBe(tooMany);
});
