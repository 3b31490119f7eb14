// Many senders at once: requests that wait travel together, each is answered for itself, and none suffers for another.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../../src/operator/import/report.js';
import { lockTable, waitForLocks } from '../faults/support/own-postgres.js';
import { freePort } from '../faults/support/ports.js';
import { metricsAt } from '../faults/support/requests.js';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { aTank, insertTanks } from '../support/builders.js';
import { runCli, runCliOn } from '../support/cli.js';
import {
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
import { ndjson } from '../support/lines.js';

const metricsPort = await freePort();
const service = await startService({
  environment: { DATABASE_POOL_SIZE: '4', METRICS_PORT: String(metricsPort) }, // so two to write
  adjust: (config) => ({
    ...config,
    ingest: { ...config.ingest, lockTimeoutMs: 1_000_000 }, // a batch waits for a lock until a test lets go of it
  }),
});
const { sql } = service;
const key = await service.createKey({ scopes: ['telemetry:write'] });
const sender = service.agent(key);

const minuteAt = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();

let unblock = () => Promise.resolve();

beforeEach(() => insertFleet(sql));
afterEach(() => unblock());

async function block(): Promise<void> {
  unblock = await lockTable(service.database.url, 'telemetry', 'share');
}

const untilBlocked = (writes: number) => waitForLocks(service.database.url, writes, 'ingest');

/** Until so many requests wait for the write before them. */
function untilQueued(requests: number): Promise<void> {
  return until(`${requests} requests wait`, async () => {
    const metrics = await metricsAt(metricsPort);
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
 * While the table is locked, two writes of another tank keep both connections waiting: these requests wait in the service, in
 * this order, and travel together when the lock is gone.
 */
async function sendWhileBlocked(
  requests: readonly unknown[][],
  sent: readonly Sent[] = [],
): Promise<Answer[]> {
  await block();
  const first = [start(send(sender, [reading('c', NOON)])), start(send(sender, [reading('c', ONE)]))];
  await untilBlocked(2);
  const answers: Promise<Answer>[] = [];
  for (const [i, readings] of requests.entries()) {
    answers.push(start<Answer>(send(sender, readings, sent[i])));
    await untilQueued(i + 1);
  }
  await unblock();
  await Promise.all(first);
  return Promise.all(answers);
}

describe('requests that wait', () => {
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

  it('are each told their own refusals, and do not suffer for an atomic one that is refused', async () => {
    const [atomic, partly, good] = await sendWhileBlocked(
      [
        [reading('a', NOON, 1), reading('nothing')],
        [7, reading('b'), reading('nothing')],
        [reading('a', NOON, 2)],
      ],
      [{ query: '?atomic=true' }],
    );

    expect(atomic?.body).toMatchObject({ ...counts({ refused: 1 }), errors: [{ index: 1 }] });
    expect(partly?.body).toMatchObject({
      ...counts({ created: 1, refused: 2 }),
      errors: [{ index: 0 }, { index: 2 }],
    });
    expect(good?.body).toStrictEqual(result({ created: 1 }));
  });

  it('are written even when their senders have left', async () => {
    await block();
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

const TANKS = Array.from({ length: 20 }, (_, i) => `tank-${i}`);
const INSTANTS = 500;
const readingAt = (number: number, minute: number) =>
  reading(`tank-${number % TANKS.length}`, minuteAt(minute), 10);

/** Readings of all tanks, one a minute. */
async function load(fill: number): Promise<ImportReport['telemetry']> {
  const lines = Array.from({ length: INSTANTS }, (_, i) =>
    TANKS.map((tank) => ({ object: 'telemetry', ...reading(tank, minuteAt(i), fill) })),
  );
  const { code, stdout } = await runCliOn(
    ndjson(lines.flat()),
    service.database.url,
    'import',
    '--json',
    '-',
  );
  expect(code).toBe(0);
  return (JSON.parse(stdout) as ImportReport).telemetry;
}

it('readings beside an import of the same times are updated by one or the other, never lost', async () => {
  const tanks = TANKS.map((id) => aTank('ours', { id }));
  await insertTanks(sql, tanks);
  await load(20);
  const done = new AbortController();
  const statuses = new Set<number>();
  const sendUntilDone = async (seed: number): Promise<void> => {
    for (let i = seed; !done.signal.aborted; i += 7) {
      const both = [readingAt(i, i % INSTANTS), readingAt(i, INSTANTS + i)];
      statuses.add((await send(sender, both)).status);
    }
  };
  const senders = Promise.all([1, 2, 3, 4].map(sendUntilDone));
  const telemetry = await load(50).finally(() => done.abort());
  await senders;

  expect(statuses).toEqual(new Set([200]));
  expect(telemetry).toMatchObject({ inserted: 0, superseded: 0 });
  expect(telemetry.updated + telemetry.unchanged).toBe(TANKS.length * INSTANTS);
  const { rows } = await sql.query<{ fill: number }>(
    'select distinct fill_percentage as fill from telemetry order by 1',
  );
  expect([[10, 50], [50]]).toContainEqual(rows.map(({ fill }) => fill));
  expect(await runCli(service.database.url, 'counts', 'verify')).toMatchObject({ code: 0 });
});
