// GET /v1/changes: what has changed since a place in the feed, in order, as the objects are now.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { withDataSource } from '../../src/platform/database/data-source.js';
import { partitionOff, partitionOn } from '../../src/telemetry/storage/partitions.js';
import { lockTable, waitForLocks } from '../faults/support/own-postgres.js';
import { startService } from '../support/app.js';
import { aTank, insertFleetOf, insertReadings, insertTanks } from '../support/builders.js';
import { runCli } from '../support/cli.js';
import { execute, workerUrls } from '../support/database.js';
import { NOON, ONE, reading, send } from '../support/ingest.js';
import { parameterProblem, problem } from '../support/problems.js';
import { placeChanges, type Change, type ChangesPage } from '../support/replica.js';

const service = await startService();
const { sql, api, database } = service;
const sender = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));
const isCluster = workerUrls().length > 0;

const ALL_TIMES = { created_at_gte: '0001-01-01T00:00:00.000Z', created_at_lte: '9999-12-31T23:59:59.999Z' };
const HALF = '2026-02-03T12:30:00.000Z';
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let ours: ReturnType<typeof service.agent>;
let theirs: ReturnType<typeof service.agent>;

async function get(query: string, agent = api): Promise<ChangesPage> {
  const { body } = await agent.get(`/v1/changes${query}`).expect(200);
  return body as ChangesPage;
}

const now = async (): Promise<string> => (await get('?after=latest')).next;

/** As `now`, behind all that has been written. */
async function place(): Promise<string> {
  await placeChanges(sql);
  return now();
}
const named = (data: readonly Change[]) => data.map(({ type, id }) => `${type} ${id}`);
const idsOf = (data: readonly Change[]) => data.map(({ id }) => id);
const rename = async (name: string, id = 'a'): Promise<void> => {
  await sql.query('update tanks set name = $1 where id = $2', [name, id]);
  await placeChanges(sql);
};

const runLow = async () => {
  await insertReadings(sql, 'a', [level(minutesAgo(20), 20.5)]);
  await insertReadings(sql, 'a', [level(minutesAgo(10), 19.5)]);
};

/** What a write has changed, as a key sees it. */
async function changesOf(write: () => Promise<unknown>, agent = api, query = ''): Promise<readonly Change[]> {
  const after = await place();
  await write();
  await placeChanges(sql);
  return (await get(`?after=${after}&size=1000${query}`, agent)).data;
}

const seen = async (path: string, agent = api): Promise<unknown> => (await agent.get(path).expect(200)).body;
const change = (type: string, id: string, data: unknown) => ({
  object: 'change',
  type,
  id,
  created_at: INSTANT,
  data,
});
const deletedTank = (id: string) => change('tank', id, { id, object: 'tank', deleted: true });
const telemetry = (id: string, from: string, to: string, readings: unknown) =>
  change('telemetry', id, { created_at_gte: from, created_at_lte: to, readings });
const allTelemetry = (id: string, readings: unknown) => change('telemetry', id, { ...ALL_TIMES, readings });
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => level(new Date(Date.parse(NOON) + i * 1_000).toISOString(), 50));
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const level = (created_at: string, fill_percentage: number) => ({ created_at, fill_percentage });

beforeEach(async () => {
  await sql.query('delete from events');
  await insertFleetOf(sql, { ours: ['a', 'b'], theirs: ['c'] });
  ours = service.agent(await service.createKey({ customerId: 'ours' }));
  theirs = service.agent(await service.createKey({ customerId: 'theirs' }));
});

describe('a change', () => {
  it('of a customer or a tank holds the object as by id, and a new tank its customer too', async () => {
    const data = await changesOf(() => insertTanks(sql, [aTank('ours', { id: 'new' })]));
    expect(data).toEqual([
      change('customer', 'ours', expect.anything()),
      change('tank', 'new', expect.anything()),
    ]);
    expect(JSON.stringify(data[1]?.data)).toBe((await api.get('/v1/tanks/new')).text);
    expect(JSON.stringify(data[0]?.data)).toBe((await api.get('/v1/customers/ours')).text);
  });

  it('of readings holds all that are there now between the first and the last that changed', async () => {
    await insertReadings(sql, 'a', [level(HALF, 60)]);
    const data = await changesOf(() =>
      send(sender, [reading('a', NOON, 50), reading('a', ONE, 40.5), reading('c', ONE, 30)]).expect(200),
    );
    expect(data).toEqual([
      telemetry('a', NOON, ONE, [level(NOON, 50), level(HALF, 60), level(ONE, 40.5)]),
      telemetry('c', ONE, ONE, [level(ONE, 30)]),
    ]);
  });

  it('of more than 1,000 readings holds none of them', async () => {
    const whole = await changesOf(() => insertReadings(sql, 'a', many(1_000)), api, '&types=telemetry');
    expect(whole.find(({ id }) => id === 'a')?.data['readings']).toHaveLength(1_000);
    const data = await changesOf(() => insertReadings(sql, 'b', many(1_001)), api, '&types=telemetry');
    expect(data.find(({ id }) => id === 'b')?.data['readings']).toBeNull();
  });

  it('of an event comes once, as by id', async () => {
    const data = await changesOf(runLow, ours, '&types=event');
    const { body } = await api.get('/v1/events').expect(200);
    expect(data).toEqual([change('event', body.data[0].id, body.data[0])]);
    expect(body.data).toHaveLength(1);
    expect(await changesOf(() => sql.query('delete from events'))).toEqual([]);
  });

  it('over HTTP is none for a PUT that changes nothing, and the state afterwards for one that does', async () => {
    const manager = service.agent(await service.createKey({ scopes: SCOPES }));
    const [tank, customer] = [await seen('/v1/tanks/a'), await seen('/v1/customers/ours')] as object[];
    expect(
      await changesOf(async () => {
        await manager.put('/v1/tanks/a').send(tank).expect(200);
        await manager.patch('/v1/tanks/a').send({}).expect(200);
        await manager.put('/v1/customers/ours').send(customer).expect(200);
      }),
    ).toEqual([]);
    const data = await changesOf(async () => {
      await manager.patch('/v1/tanks/a').send({ name: 'Other', owner_id: 'theirs' }).expect(200);
      await manager.delete('/v1/tanks/b').expect(200);
    });
    expect(data).toEqual([
      change('customer', 'ours', expect.objectContaining({ tank_count: 0 })),
      change('customer', 'theirs', expect.objectContaining({ tank_count: 2 })),
      change('tank', 'a', await seen('/v1/tanks/a')),
      deletedTank('b'),
    ]);
  });

  it('gets its place after its commit: an open transaction holds up nobody, and comes later', async () => {
    const client = await sql.connect();
    try {
      const after = await place();
      await client.query('begin');
      await client.query(`update tanks set name = 'Late' where id = 'a'`);
      await rename('Early', 'b');
      const first = await get(`?after=${after}`);
      expect(idsOf(first.data)).toEqual(['b']);
      await client.query('commit');
      await placeChanges(sql);
      const second = await get(`?after=${first.next}`);
      expect(second.data).toEqual([change('tank', 'a', expect.objectContaining({ name: 'Late' }))]);
    } finally {
      client.release();
    }
  });
});

describe('a bound key', () => {
  it('gets its own', async () => {
    const readings = [reading('a', NOON, 50), reading('c', NOON, 40)];
    const write = () => send(sender, readings).expect(200);
    expect(await changesOf(write, ours)).toEqual([telemetry('a', NOON, NOON, [level(NOON, 50)])]);
    const renamed = await changesOf(
      () => sql.query(`update tanks set name = 'Other'; update customers set name = 'Other'`),
      theirs,
    );
    expect(named(renamed)).toEqual(['customer theirs', 'tank c']);
  });

  it('sees a tank that leaves as deleted, and one that arrives as a whole with all its readings', async () => {
    await insertReadings(sql, 'a', [level(NOON, 50)]);
    const after = await place();
    await sql.query(`update tanks set owner_id = 'theirs' where id = 'a'`);
    await placeChanges(sql);
    const see = async (agent: typeof api) => (await get(`?after=${after}`, agent)).data;
    expect(await see(ours)).toEqual([
      change('customer', 'ours', expect.objectContaining({ tank_count: 1 })),
      deletedTank('a'),
    ]);
    expect(await see(theirs)).toEqual([
      change('customer', 'theirs', expect.objectContaining({ tank_count: 2 })),
      change('tank', 'a', await seen('/v1/tanks/a', theirs)),
      allTelemetry('a', [level(NOON, 50)]),
    ]);
    expect(named(await see(api))).toEqual(['customer ours', 'customer theirs', 'tank a']);
  });
});

describe('a page', () => {
  it('holds as many as asked for, oldest first, and says whether there are more', async () => {
    const after = await place();
    for (const id of ['a', 'b', 'c']) {
      await rename('New', id);
    }
    const first = await get(`?after=${after}&size=2`);
    expect(first).toMatchObject({ object: 'changes', has_more: true });
    expect(idsOf(first.data)).toEqual(['a', 'b']);
    const second = await get(`?after=${first.next}&size=2`);
    expect(second).toMatchObject({ has_more: false });
    expect(idsOf(second.data)).toEqual(['c']);
    const nothing = { object: 'changes', data: [], next: second.next, has_more: false };
    expect(await get(`?after=${second.next}`)).toEqual(nothing);
  });

  it('ends before it would hold more than 10,000 readings', async () => {
    const after = await place();
    for (let batch = 0; batch < 12; batch += 1) {
      const readings = Array.from({ length: 900 }, (_, i) =>
        reading('a', new Date(Date.parse(NOON) + batch * 86_400_000 + i * 1_000).toISOString(), 50),
      );
      await send(sender, readings).expect(200);
    }
    await placeChanges(sql);
    const sizes: number[] = [];
    for (let cursor = after, hasMore = true; hasMore;) {
      const page = await get(`?after=${cursor}&size=1000`);
      const count = page.data.map(({ data }) => (data['readings'] as unknown[]).length);
      sizes.push(count.reduce((sum, n) => sum + n, 0));
      [cursor, hasMore] = [page.next, page.has_more];
    }
    expect(sizes).toEqual([9_900, 900]);
    expect(await get('?after=latest&wait=25')).toMatchObject({ data: [], has_more: false });
  });

  it('looks at 10,000 changes, and may be empty though there are more', async () => {
    const after = await place();
    await sql.query(
      `insert into change_notes (kind, id, owner_id) select 'c', 'nobody-' || n, 'nobody-' || n from generate_series(1, 10000) n`,
    );
    await placeChanges(sql);
    await rename('Last');
    const first = await get(`?after=${after}`, ours);
    expect(first).toMatchObject({ data: [], has_more: true });
    const second = await get(`?after=${first.next}&types=tank`, ours);
    expect(second).toMatchObject({ data: [{ id: 'a' }], has_more: false });
  });

  it('is JSON whatever Accept says, and kept by no cache', async () => {
    const asked = api.get('/v1/changes').set({ Accept: 'text/csv', 'If-None-Match': '*' });
    const { headers, body } = await asked.expect(200);
    const type = 'application/json; charset=utf-8';
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('etag');
    expect(body).toMatchObject({ object: 'changes' });
  });
});

describe('a cursor', () => {
  const EXPIRED = problem(
    410,
    'cursor_expired',
    'Changes after this cursor are missing: it is too old, or of a time that a restore, a failover or a rebuild has ended. Begin again: ask with after=latest, read the lists, then follow from its next.',
  );
  const expectExpired = async (cursor: string) =>
    expect((await api.get(`/v1/changes?after=${cursor}`).expect(410)).body).toEqual(EXPIRED);

  it('lives for 7 days after the next change, however quiet it was before', async () => {
    await rename('Before');
    await sql.query(`update change_feed set placed_at = placed_at - interval '30 days'`);
    const quiet = await now();
    await rename('After');
    await sql.query(`select forget_changes(100000)`);
    expect(idsOf((await get(`?after=${quiet}`)).data)).toEqual(['a']);

    await sql.query(`update change_feed set placed_at = placed_at - interval '8 days'`);
    const last = await now();
    await rename('Much later');
    await sql.query(`select forget_changes(100000)`);
    await expectExpired(quiet);
    expect(idsOf((await get(`?after=${last}`)).data)).toEqual(['a']);
    expect(idsOf((await get('')).data)).toEqual(['a', 'a']);
  });

  it('of a time that was lost is expired, also when its position is used again', async () => {
    const before = await place();
    await sql.query(`update tanks set name = 'Lost' where id = 'a'`);
    const lost = await place();
    await sql.query('delete from change_feed where position = (select max(position) from change_feed)');
    await expectExpired(lost);
    await sql.query('select pg_sleep(0.01)');
    await rename('Instead');
    await expectExpired(lost);
    expect((await get(`?after=${before}`)).data).toHaveLength(1);
  });

  it('from before a rebuild that found rows past the triggers is expired, and not from before another one', async () => {
    const before = await place();
    expect(await runCli(database.url, 'counts', 'rebuild')).toMatchObject({ code: 0 });
    expect(await get(`?after=${before}`)).toMatchObject({ data: [] });
    await execute(database.url, `update list_counts set n = n + 1 where list = 'tanks' and level = 0`);
    expect(await runCli(database.url, 'counts', 'rebuild')).toMatchObject({ code: 0 });
    await expectExpired(before);
    const { next, data } = await get('');
    expect(data).toEqual([]);
    await rename('New');
    expect(idsOf((await get(`?after=${next}`)).data)).toEqual(['a']);
  });

  it.each(['', 'x', '%00'])('is not %j', async (text) => {
    const { body } = await api.get(`/v1/changes?after=${text}`).expect(400);
    const shown = JSON.stringify(decodeURIComponent(text));
    const detail = `must be the \`next\` of an answer, or latest, not ${shown}`;
    expect(body).toEqual(parameterProblem({ parameter: 'after', detail }));
  });
});

it('a wait that ends while its key is looked up is not led past what comes meanwhile', async () => {
  const after = await place();
  const wait = (seconds: number, agent = api) => get(`?after=${after}&wait=${seconds}&types=tank`, agent);
  await get('?after=latest', ours); // so that its key is known
  const other = wait(25, ours);
  const unlock = await lockTable(database.url, 'api_keys');
  const answer = wait(1);
  await waitForLocks(database.url, 1); // its key is looked up
  await rename('Meanwhile');
  await waitForLocks(database.url, 2); // the feed was looked at: who is woken has its key looked up, too
  await unlock();

  const { data, next } = await answer;
  await other;
  const later = await get(`?after=${next}&types=tank`);
  expect([...data, ...later.data].map(({ id }) => id)).toContain('a');
});

it('parameters that are wrong are reported all at once', async () => {
  const { body } = await api.get('/v1/changes?after=x&types=tank,valve&size=1001&wait=26&typo=1').expect(400);
  expect(body).toEqual(
    parameterProblem(
      {
        parameter: 'typo',
        detail: 'is not a parameter of this operation; there are: after, types, size, wait',
      },
      { parameter: 'after', detail: 'must be the `next` of an answer, or latest, not "x"' },
      {
        parameter: 'types',
        detail:
          'must be one or several of customer, tank, telemetry, event, separated by commas, not "tank,valve"',
      },
      { parameter: 'size', detail: 'must be a whole number from 1 to 1000, in plain digits, not "1001"' },
      { parameter: 'wait', detail: 'must be a whole number from 0 to 25, in plain digits, not "26"' },
    ),
  );
});

it('partition on and off are no change, and what is written afterwards is one', async () => {
  if (isCluster) return; // it has no partitions
  await insertReadings(sql, 'a', [level(NOON, 50)]);
  const write = (fill: number) =>
    insertReadings(sql, 'a', [level(new Date(Date.now() - fill * 60_000).toISOString(), fill)]);
  for (const [move, fill] of [
    [partitionOn, 51],
    [partitionOff, 52],
  ] as const) {
    expect(
      await changesOf(() => withDataSource(database.url, (source) => move(source, () => undefined))),
    ).toEqual([]);
    expect(await changesOf(() => write(fill), api, '&types=telemetry')).toMatchObject([
      { id: 'a', data: { readings: [{ fill_percentage: fill }] } },
    ]);
  }
});
