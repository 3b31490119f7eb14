// Data and totals of one response come from one snapshot, also while others write: whatever moment a response shows, its
// parts agree with each other.
import { expect, it } from '@jest/globals';
import type { List, Reading } from 'tank-monitoring-client';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';

const ROUNDS = 30;
const READERS = 3;

const { api, sql } = await startService({ environment: { DATABASE_POOL_SIZE: '4' } });

it('one response has as many readings as it counts, while readings are written and removed', async () => {
  await insertCustomer(sql, { id: 'owner' });
  await insertTank(sql, 'owner', { id: 'tank' });
  const seen: List<Reading>[] = [];
  const work = { isDone: false };
  const read = async () => {
    while (!work.isDone)
      seen.push((await api.get('/v1/tanks/tank/telemetry?size=100').expect(200)).body as List<Reading>);
  };
  const readers = Array.from({ length: READERS }, read);
  for (let round = 0; round < ROUNDS; round++) {
    await sql.query(
      round % 2 === 0
        ? "insert into telemetry select key, now() - n * interval '7 hours', 5 from tanks, generate_series(1, 50) n"
        : 'delete from telemetry',
    );
    // One response more than there are readers: so one, at least, was asked for after this write.
    const enough = seen.length + READERS + 1;
    await Promise.race([...readers, until('all have read', () => seen.length >= enough)]);
  }
  work.isDone = true;
  await Promise.all(readers);

  for (const { data, total_items, total_pages } of seen)
    expect([data.length, total_pages]).toEqual([total_items, total_items === 0 ? 0 : 1]);
  // A reader that always saw the same would prove nothing.
  expect(new Set(seen.map(({ total_items }) => total_items))).toEqual(new Set([0, 50]));
});
