// How many entries of activity are kept, and which.
import { expect, it } from '@jest/globals';
import { startService } from '../support/app.js';

const { sql } = await startService();

it('activity is kept up to 100,000 entries and 100 MiB, of each customer and of what is of none', async () => {
  const record = (owner: string | null, n: number, bytes: number) =>
    sql.query(
      `insert into activity (created_at, type, object_id, owner_id, operation, actor, changes)
       select date_trunc('milliseconds', now()) - i * interval '1 ms', 'tank', 'o' || i, $1, 'update', 'import',
              to_json(repeat('x', $3)) from generate_series(1, $2) i`,
      [owner, n, bytes - 2],
    );
  await sql.query('truncate activity');
  await Promise.all([record('many', 100_003, 10), record(null, 102, 1_024 * 1_024), record('few', 3, 10)]);

  expect((await sql.query('select tidy_activity(3) as n')).rows).toEqual([{ n: 3 }]);
  expect((await sql.query('select tidy_activity(3) as n')).rows).toEqual([{ n: 2 }]);
  const { rows } = await sql.query(
    'select owner_id, count(*)::integer as n, min(created_at) = max(created_at) - (count(*) - 1) * interval $$1 ms$$ as "isNewest" from activity group by 1 order by 1',
  );
  expect(rows).toEqual([
    { owner_id: 'few', n: 3, isNewest: true },
    { owner_id: 'many', n: 100_000, isNewest: true },
    { owner_id: null, n: 100, isNewest: true },
  ]);
}, 120_000);
