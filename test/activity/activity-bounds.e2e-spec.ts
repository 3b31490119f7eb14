// How many entries of activity are kept, and which.
import { expect, it } from '@jest/globals';
import { startService } from '../support/app.js';

const service = await startService();
const { sql } = service;

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

  // The sizes that this goes by stay exact, also when a customer is erased.
  await sql.query(
    `update activity set owner_id = 'other', changes = '{}' where owner_id = 'few' or object_id = 'o5'`,
  );
  await sql.query(`delete from activity where object_id = 'o1'`);
  await sql.query('select tidy_activity(3)');
  const actual = `select coalesce(owner_id, '') as owner_id, count(*) as n, sum(octet_length(changes::text)) as bytes from activity group by 1 order by 1`;
  const { rows: sizes } = await sql.query('select owner_id, n, bytes from activity_sizes order by 1');
  expect(sizes).toEqual((await sql.query(actual)).rows);
}, 120_000);

it('a page of JSON that is too long for the memory is the same, part by part: envelope, links and tag', async () => {
  const api = service.agent(await service.createKey({ scopes: ['activity'] }));
  const record = (bytes: number) =>
    sql.query(
      `insert into activity (created_at, type, object_id, operation, actor, changes)
       select date_trunc('milliseconds', now()) - i * interval '1 ms', 'tank', 'o' || i, 'update', 'import',
              json_build_object('name', json_build_object('from', null, 'to', repeat('x', $1)))
       from generate_series(1, 101) i`,
      [bytes],
    );
  await sql.query('truncate activity');
  await record(50_000);
  const long = await api.get('/v1/activity?size=100').expect(200);
  expect(
    (await api.get('/v1/activity?size=100').set('If-None-Match', String(long.headers['etag']))).status,
  ).toBe(304);
  await sql.query(`update activity set changes = '{}'`);
  const short = await api.get('/v1/activity?size=100').expect(200);

  const changes = { name: { from: null, to: 'x'.repeat(50_000) } };
  const data = (short.body as { data: object[] }).data.map((entry) => ({ ...entry, changes }));
  expect(data).toHaveLength(100);
  expect(long.text).toBe(JSON.stringify({ ...short.body, data }));
  for (const name of ['link', 'content-type', 'vary', 'cache-control'])
    expect(long.headers[name]).toBe(short.headers[name]);
  expect((await api.get('/v1/activity?size=100').query({ actor: 'nobody' })).body).toMatchObject({
    data: [],
  });
});
