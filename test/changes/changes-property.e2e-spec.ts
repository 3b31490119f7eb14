// Whatever writers do at once, and however followers read and crash: in the end each copy is what the lists show, for every key.
import { afterAll, expect, it } from '@jest/globals';
import { fc } from '../support/cases.js';
import type { PoolClient } from 'pg';
import { startService } from '../support/app.js';
import { openPool, workerUrls } from '../support/database.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';
import { Client, placeChanges, Replica, type Contents } from '../support/replica.js';

const service = await startService({ environment: { DATABASE_POOL_SIZE: '8' } });
const writers = openPool(service.database.url, {
  max: 6,
  options: '-c lock_timeout=200ms -c deadlock_timeout=50ms',
});
const placers = openPool(service.database.url, { max: 2 });
afterAll(async () => {
  await writers.end();
  await placers.end();
});
/** Each takes a second or two. */
const RUNS = 20;
const isCluster = workerUrls().length > 0;

const CUSTOMERS = ['x', 'y', 'z'];
const keys = [null, 'x', 'y'];
await service.sql.query(
  `insert into customers (id, email, name) select id, id, id from unnest($1::text[]) id`,
  [CUSTOMERS],
);
const clients = await Promise.all(
  keys.map(async (customerId) => new Client(service.url, await service.createKey({ customerId }))),
);
const { rows: settings } = await service.sql.query<{ n: number }>(
  `select current_setting('max_prepared_transactions')::integer as n`,
);
const canPrepare = (settings[0]?.n ?? 0) >= 6 && !isCluster;

const tank = (n: number): string => `t${n}`;
const owner = (n: number): string => CUSTOMERS[n % CUSTOMERS.length] ?? 'x';
const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString();
const ofTank = (n: number): string => `tank_key = (select key from tanks where id = '${tank(n)}')`;

/** Each is one statement, or a few, of somebody's transaction; `n` and `m` choose among few tanks and instants, so that they meet. */
const WRITES: Readonly<Record<string, (n: number, m: number) => string>> = {
  rename: (n, m) => `update tanks set name = 'Name ${m}' where id = '${tank(n)}'`,
  renameAll: (_, m) => `update tanks set name = 'All ${m}'`,
  move: (n, m) => `update tanks set owner_id = '${owner(m)}' where id = '${tank(n)}'`,
  delete: (n) => `update tanks set deleted = true where id = '${tank(n)}'`,
  restore: (n) => `update tanks set deleted = false where id = '${tank(n)}'`,
  add: (n, m) =>
    `insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage, deleted)
     values ('${tank(n)}', '${owner(m)}', 'Added', '', 100, 'liters', 20, ${m % 5 === 0})
     on conflict (id) do update set name = 'Added ${m}', owner_id = excluded.owner_id`,
  remove: (n) => `delete from telemetry where ${ofTank(n)}; delete from tanks where id = '${tank(n)}'`,
  replace: (n, m) => `${WRITES['remove']?.(n, m)}; ${WRITES['add']?.(n, m)}`,
  otherId: (n, m) => `update tanks set id = '${tank(m % 6)}' where id = '${tank(n)}'`,
  read: (n, m) =>
    `insert into telemetry select key, '${at(m)}', ${m % 100} from tanks where id = '${tank(n)}' on conflict do nothing`,
  readMany: (n, m) =>
    `insert into telemetry select key, timestamptz '${at(m)}' + i * interval '1 minute', i from tanks, generate_series(1, 30) i
     where id in ('${tank(n)}', '${tank(m % 6)}')
     on conflict (tank_key, created_at) do update set fill_percentage = excluded.fill_percentage + ${(m % 10) / 10}`,
  readVeryMany: (n) =>
    `insert into telemetry select key, timestamptz '2025-01-01Z' + i * interval '1 minute', 50 from tanks, generate_series(1, 1100) i
     where id = '${tank(n)}' on conflict do nothing`,
  correct: (n, m) =>
    `update telemetry set fill_percentage = ${m % 100} where ${ofTank(n)} and created_at > '${at(m)}'`,
  shift: (n, m) =>
    `update telemetry set created_at = created_at + interval '1 second' where ${ofTank(n)} and created_at > '${at(m)}'`,
  unread: (n, m) => `delete from telemetry where ${ofTank(n)} and created_at < '${at(m)}'`,
  customer: (_, m) => `update customers set name = 'Customer ${m}' where id = '${owner(m)}'`,
  another: (n) =>
    `insert into customers (id, email, name) values ('c${n}', 'e', 'Another') on conflict (id) do update set deleted = not customers.deleted`,
  goodbye: (n) => `delete from customers where id = 'c${n}'`,
  event: (n, m) =>
    `insert into events (id, type, created_at, tank_id, owner_id, data)
     values (new_id(), 'tank.low', now(), '${tank(n)}', '${owner(m)}', '{"reading":{"created_at":"${at(1)}","fill_percentage":1},"before":null,"min_fill_alert_percentage":1,"silent_after_seconds":1,"tank":{"name":"","custom_id":null},"owner":{"name":null,"email":null},"location":{"city":null,"country":null,"district":null,"latitude":null,"longitude":null,"postal_code":null,"region":null,"street":null,"street_number":null}}')`,
  send: (n, m) =>
    `select write_readings('{1}', '{good}', '{NULL}', '{${tank(n)}}', '{NULL}', '{1,1}', '{"${at(m)}","${at(m + 1)}"}', '{${m % 100},7}', 100)`,
  truncate: () => 'truncate telemetry',
  truncateAll: () => 'truncate tanks cascade',
};
const RARE = new Set([
  'truncate',
  'truncateAll',
  'remove',
  'replace',
  'otherId',
  'readVeryMany',
  'renameAll',
]);

/** On a cluster Citus allows less in one statement, and whoever writes readings keeps the states. */
const AVAILABLE = Object.keys(WRITES).filter(
  (name) => !isCluster || !/^(read|correct|shift|unread|remove|replace)/.test(name),
);
const number = fc.nat({ max: 50 });
const write = fc.record({
  do: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...AVAILABLE.filter((name) => !RARE.has(name))) },
    { weight: 1, arbitrary: fc.constantFrom(...AVAILABLE.filter((name) => RARE.has(name))) },
  ),
  n: fc.nat({ max: 5 }),
  m: number,
  savepoint: fc.constantFrom('none', 'none', 'kept', 'rolled back'),
  /** How many turns of the event loop to keep the transaction open. */
  pause: fc.constantFrom(0, 0, 0, 1, 10),
});
const transaction = fc.record({
  isolation: fc.constantFrom('read committed', 'read committed', 'read committed', 'repeatable read'),
  writes: fc.array(write, { minLength: 1, maxLength: 4 }),
  end: fc.constantFrom('commit', 'commit', 'commit', 'rollback', 'commit prepared', 'rollback prepared'),
});
type Transaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never;

let prepared = 0;
async function run(client: PoolClient, { isolation, writes, end }: Transaction): Promise<void> {
  await client.query(`begin isolation level ${isolation}`);
  try {
    for (const one of writes) {
      if (one.savepoint !== 'none') await client.query('savepoint here');
      await client.query(WRITES[one.do]?.(one.n, one.m) ?? '');
      if (one.savepoint === 'kept') await client.query('release savepoint here');
      if (one.savepoint === 'rolled back') await client.query('rollback to savepoint here');
      await client.query(`select pg_sleep(${one.pause / 1_000})`);
    }
    if (!end.endsWith('prepared') || !canPrepare) {
      await client.query(end.split(' ')[0] ?? 'commit');
      return;
    }
    const name = `changes_${process.pid}_${(prepared += 1)}`;
    await client.query(`prepare transaction '${name}'`);
    await client.query('select pg_sleep(0.02)');
    await client.query(`${end} '${name}'`);
  } catch {
    await client.query('rollback'); // a deadlock, a conflict, a tank that is not there
  }
}

const follower = fc.record({
  client: fc.nat({ max: clients.length - 1 }),
  types: fc.constantFrom(
    'customer,tank,telemetry,event',
    'tank,telemetry',
    'customer,event',
    'telemetry',
    'tank',
  ),
  sizes: fc.array(fc.constantFrom(1, 2, 3, 10, 1_000), { minLength: 1, maxLength: 5 }),
  crashes: fc.array(fc.constantFrom(undefined, undefined, undefined, 0, 1, 5), {
    minLength: 1,
    maxLength: 7,
  }),
});
type Follower = typeof follower extends fc.Arbitrary<infer T> ? T : never;

/** Reads on while others write, and to the end when they have ended. */
async function follow({ client, types, sizes, crashes }: Follower, isOver: () => boolean): Promise<Replica> {
  const replica = await new Replica(clients[client] as Client).begin();
  for (let turn = 0; !isOver(); turn += 1) {
    const size = String(sizes[turn % sizes.length]);
    await replica.step({ types, size }, crashes[turn % crashes.length]);
  }
  await placeChanges(service.sql);
  await replica.catchUp({ types, size: '100' });
  return replica;
}

/** The tanks that were deleted for good since then: others may have their ids now. */
async function goneSince(position: string): Promise<Set<string>> {
  const { rows } = await service.sql.query<{ id: string }>(
    `select id from change_feed where kind = 'd' and position > $1`,
    [position],
  );
  return new Set(rows.map(({ id }) => id));
}

/** What is kept of the types that are followed. Who does not follow tanks does not learn that one has gone with its readings. */
function pick(
  { customers, tanks, events, readings }: Contents,
  types: string,
  inLists: Contents,
  gone: ReadonlySet<string>,
): Partial<Contents> {
  const ofListed = Object.fromEntries(
    Object.entries(readings).filter(([id]) => id in inLists.tanks && !gone.has(id)),
  );
  return {
    ...(types.includes('customer') && { customers }),
    ...(types.includes('tank') && { tanks }),
    ...(types.includes('event') && { events }),
    ...(types.includes('telemetry') && { readings: types.includes('tank') ? readings : ofListed }),
  };
}

it(
  'copies that follow the changes end with what the lists show, for every key',
  async () => {
    const property = fc.asyncProperty(
      fc.array(fc.array(transaction, { minLength: 1, maxLength: 12 }), { minLength: 4, maxLength: 4 }),
      fc.array(follower, { minLength: 3, maxLength: 3 }),
      fc.constantFrom(1, 3, 20_000),
      async (histories, followers, most) => {
        const writing = { isOver: false };
        const { rows: begin } = await service.sql.query<{ position: string }>(
          'select max(position) as position from change_feed',
        );
        const following = followers.map((one) => follow(one, () => writing.isOver));
        const placing = [most, 20_000].map(async (batch) => {
          while (!writing.isOver) await placers.query('select place_changes($1)', [batch]);
        });
        await Promise.all(
          histories.map(async (history) => {
            const client = await writers.connect();
            try {
              for (const one of history) await run(client, one);
            } finally {
              client.release();
            }
          }),
        ).finally(() => (writing.isOver = true));
        await Promise.all(placing);
        const replicas = await Promise.all(following);
        const gone = await goneSince(begin[0]?.position ?? '0');
        for (const [i, replica] of replicas.entries()) {
          const { types = '' } = followers[i] ?? {};
          const lists = await replica.client.contents();
          expect(pick(replica.contents(), types, lists, gone)).toEqual(pick(lists, types, lists, gone));
        }
      },
    );
    expect(await holds(property, RUNS, { endOnFailure: true })).toBe(true);
  },
  PROPERTY_TIMEOUT_MS,
);
