// Many senders at once: requests that wait travel together, each is answered for itself, and none suffers for another.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { freePort } from '../faults/support/ports.js';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { insertReadings } from '../support/builders.js';
import {
  byDevice,
  counts,
  insertFleet,
  NOON,
  ONE,
  reading,
  result,
  send,
  stored,
  type Sent,
} from '../support/ingest.js';

const metricsPort = await freePort();
const service = await startService({
  environment: { DATABASE_POOL_SIZE: '4', METRICS_PORT: String(metricsPort) }, // so two to write
  adjust: (config) => ({ ...config, limits: { ...config.limits, maxWaitingRequests: 50 } }),
});
const { sql } = service;
const key = await service.createKey({ scopes: ['telemetry:write'] });
const sender = service.agent(key);

const minute = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();

let blocker: PoolClient | undefined;

beforeEach(() => insertFleet(sql));
afterEach(() => unblock());

/** Whoever writes to the table waits until unblock(). */
async function block(statement: string): Promise<void> {
  blocker = await sql.connect();
  await blocker.query(`begin; ${statement}`);
}

async function unblock(): Promise<void> {
  await blocker?.query('rollback');
  blocker?.release();
  blocker = undefined;
}

/** Until so many writes wait for a lock in the database. */
function untilBlocked(writes: number): Promise<void> {
  return until(`${writes} writes wait for a lock`, async () => {
    const { rows } = await sql.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name = 'tank-monitoring-ingest' and wait_event_type = 'Lock'`,
    );
    return rows.length >= writes;
  });
}

/** Until so many requests wait for the write before them. */
function untilQueued(requests: number): Promise<void> {
  return until(`${requests} requests wait`, async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^ingest_requests_waiting (\d+)$/m.exec(metrics)?.[1]) >= requests;
  });
}

/** Supertest sends when it is awaited. */
function start<T>(request: PromiseLike<T>): Promise<T> {
  return Promise.resolve(request);
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/**
 * While the table is locked, two writes of another tank keep both connections waiting: these requests wait in the service, a
 * few of them in this order, and travel together when the lock is gone.
 */
async function sendWhileBlocked(
  requests: readonly unknown[][],
  queued = requests.length,
  sent: readonly Sent[] = [],
): Promise<Answer[]> {
  await block('lock table telemetry in share mode');
  const first = [start(send(sender, [reading('c', NOON)])), start(send(sender, [reading('c', ONE)]))];
  await untilBlocked(2);
  const answers: Promise<Answer>[] = [];
  for (const [i, readings] of requests.entries()) {
    answers.push(start<Answer>(send(sender, readings, sent[i])));
    if (requests.length < 10) await untilQueued(i + 1);
  }
  await untilQueued(queued);
  await unblock();
  await Promise.all(first);
  return Promise.all(answers);
}

async function transactions(): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    'select count(distinct xmin::text)::int as n from telemetry',
  );
  return rows[0]?.n ?? 0;
}

describe('requests that wait', () => {
  it('are written in one transaction, and each is answered for itself', async () => {
    const requests = Array.from({ length: 20 }, (_, i) => [
      reading(i % 2 === 0 ? 'a' : 'b', minute(i), i),
      ...(i === 7 ? [reading('nothing'), 7] : []),
    ]);

    const answers = await sendWhileBlocked(requests);

    expect(answers.map(({ status }) => status)).toEqual(requests.map((_, i) => (i === 7 ? 400 : 200)));
    expect(answers[7]?.body).toMatchObject({
      ...counts({ created: 1, refused: 2 }),
      errors: [{ index: 1 }, { index: 2 }],
    });
    expect(answers[3]?.body).toStrictEqual(result({ created: 1 }));
    expect(Object.keys(await stored(sql))).toHaveLength(22);
    expect(await transactions()).toBe(3); // that of all, besides the two that were before them
  });

  it('are judged one after the other: the same reading is created once, then unchanged or updated', async () => {
    const fills = [1, 1, 2, 2, 1];

    const answers = await sendWhileBlocked(fills.map((fill) => [reading('a', NOON, fill)]));

    expect(answers.map(({ body }) => body as object)).toStrictEqual([
      result({ created: 1 }),
      result({ unchanged: 1 }),
      result({ updated: 1 }),
      result({ unchanged: 1 }),
      result({ updated: 1 }),
    ]);
    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: 1, [`c ${NOON}`]: 50, [`c ${ONE}`]: 50 });
  });

  it('do not suffer for an atomic one that is refused', async () => {
    const [atomic, other] = await sendWhileBlocked(
      [[reading('a', NOON, 1), reading('nothing')], [reading('a', NOON, 2)]],
      2,
      [{ query: '?atomic=true' }],
    );

    expect(atomic?.body).toMatchObject(counts({ refused: 1 }));
    expect(other?.body).toStrictEqual(result({ created: 1 }));
  });

  it('do not suffer for one that the database refuses', async () => {
    await sql.query('alter table telemetry add constraint no_thirteen check (fill_percentage <> 13)');
    try {
      const requests = [[reading('a', NOON, 1)], [reading('a', ONE, 13)], [reading('b', ONE)]];

      const answers = await sendWhileBlocked(requests);

      expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
      expect(answers[1]?.body).toMatchObject({ code: 'internal_error' });
      expect(await stored(sql)).toMatchObject({ [`a ${NOON}`]: 1, [`b ${ONE}`]: 50 });
      expect(await stored(sql)).not.toHaveProperty([`a ${ONE}`]);
    } finally {
      await unblock();
      await sql.query('alter table telemetry drop constraint no_thirteen');
    }
  });

  it('are bounded: past the bound a sender is told to come again', async () => {
    await block('lock table telemetry in share mode');
    const first = [reading('c', NOON), reading('c', ONE)].map((one) => start<Answer>(send(sender, [one])));
    await untilBlocked(2);
    const waiting = Array.from({ length: 51 }, (_, i) =>
      start<Answer>(send(sender, [reading('a', minute(i))])),
    );
    await untilQueued(51);

    const { status, headers, body } = await send(sender, [reading('b')]);

    expect({ status, retry: headers['retry-after'] }).toEqual({ status: 503, retry: '1' });
    expect(body).toMatchObject({ code: 'overloaded' });
    await unblock();
    const answers = await Promise.all([...first, ...waiting]);
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    expect(await stored(sql)).not.toHaveProperty([`b ${NOON}`]);
  });

  it('are written even when their senders have left', async () => {
    await block('lock table telemetry in share mode');
    const abort = new AbortController();
    const left = fetch(`${service.url}/v1/telemetry`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ readings: [reading('a')] }),
      signal: abort.signal,
    }).catch(() => 'left');
    await untilBlocked(1);
    abort.abort();
    expect(await left).toBe('left');
    await unblock();

    await until('the reading is stored', async () => Object.keys(await stored(sql)).length === 1);
    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: 50 });
  });
});

it.each([
  ['with readings', [{ created_at: ONE, fill_percentage: 1 }]],
  ['without readings', []],
])(
  'readings of a tank that is removed by SQL while they are written are of an unknown tank, and hold up no others: one %s',
  async (_, before) => {
    await insertReadings(sql, 'a', before);
    await block(`delete from telemetry; delete from tanks where id = 'a'`);
    const sent = [reading('b'), reading('a'), byDevice('device-a')];
    const waiting = start<Answer>(send(sender, sent));
    await untilBlocked(1);
    await blocker?.query('commit');

    const { status, body } = await waiting;

    expect(status).toBe(400);
    expect(body).toMatchObject({
      ...counts({ created: 1, refused: 2 }),
      errors: [
        { index: 1, code: 'unknown_tank' },
        { index: 2, code: 'unknown_device' },
      ],
    });
    expect(await stored(sql)).toEqual({ [`b ${NOON}`]: 50 });
  },
);

it('requests for a tank that somebody else holds do not hold up the others, and are written when they can be', async () => {
  await insertReadings(sql, 'a', [{ created_at: NOON, fill_percentage: 1 }]);
  await block('select from telemetry for update');
  const held = [2, 3, 4].map((fill) => start<Answer>(send(sender, [reading('a', NOON, fill)])));
  await untilBlocked(2);

  const others = await Promise.all(
    Array.from({ length: 10 }, (_, i) => start<Answer>(send(sender, [reading('b', minute(i))]))),
  );

  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
  await unblock();
  const answers = await Promise.all(held);
  expect(answers.map(({ body }) => body)).toStrictEqual(held.map(() => result({ updated: 1 })));
});
