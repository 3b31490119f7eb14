import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { until } from '../../../test/faults/support/until.js';
import { loadConfig } from '../../platform/config/config.js';
import { asWriteFailure, DatabaseOverloaded, DatabaseUnavailable } from '../../platform/database/failures.js';
import { openPool } from '../../platform/database/pool.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { ReadingBatch } from './reading-batch.js';
import { ReadingWriter } from './reading-writer.js';
import type { WriteRow, Written } from './write-readings.js';

const CONNECTIONS = 2;
const MAX_WAITING = 600;
const STORED: Written = { created: 1, updated: 0, unchanged: 0, superseded: 0 };

/** A statement that reached the database: whose readings, and how long it may wait for a lock. */
interface Write {
  readonly tanks: readonly string[];
  readonly lockTimeoutMs: number;
}

/** What PostgreSQL refuses a statement with. */
class SqlFailure extends Error {
  readonly severity = 'ERROR';
  constructor(readonly code: string) {
    super(`A failure of the kind ${code}.`);
  }
}

let writes: Write[];
/** What the database does with a write before it is stored. */
let meet: (write: Write) => void | Promise<void>;
let writer: ReadingWriter;

async function answer(values: readonly unknown[]): Promise<WriteRow> {
  const [requests = '', , , tanks = ''] = values.map((value) =>
    String(value).replace('{', '[').replace('}', ']'),
  );
  const arrived = { tanks: JSON.parse(tanks) as string[], lockTimeoutMs: Number(values.at(-1)) };
  writes.push(arrived);
  await meet(arrived);
  const zeros = arrived.tanks.map(() => 0);
  return {
    target_codes: arrived.tanks.map(() => ''),
    requests: JSON.parse(requests) as number[],
    created: zeros.map(() => 1),
    updated: zeros,
    unchanged: zeros,
  };
}

const row = (_: unknown, values: readonly unknown[]) =>
  answer(values).catch((error: Error) => Promise.reject(asWriteFailure(error)));

beforeEach(() => {
  writes = [];
  meet = () => undefined;
  const pool = openPool({}); // which nobody connects
  const { ingest, limits, ...config } = loadConfig({});
  const bounded = {
    ...config,
    ingest: { ...ingest, poolSize: CONNECTIONS },
    limits: { ...limits, maxWaitingRequests: MAX_WAITING },
  };
  writer = new ReadingWriter({ row }, new Metrics(bounded, pool), bounded);
});

function write(tankId: string): Promise<Written> {
  const batch = new ReadingBatch(Date.now());
  batch.add({ tank_id: tankId, created_at: '2026-01-01T00:00:00Z', fill_percentage: 50 });
  return writer.write({ batch, boundTo: null, isAtomic: false });
}

/** Keeps the writes of a tank waiting, as a lock does, until the returned function is called. The others go on as before. */
function hold(tankId: string): () => void {
  const meetOthers = meet;
  const gate = new EventEmitter();
  const released = once(gate, 'open');
  meet = async (one) => void (await (one.tanks.includes(tankId) ? released : meetOthers(one)));
  return () => void gate.emit('open');
}

/** Takes all connections until the returned function is called. */
async function occupy(): Promise<() => Promise<unknown>> {
  const release = hold('first');
  const writing: Promise<Written>[] = [];
  while (writing.length < CONNECTIONS) {
    writing.push(write('first'));
    await until('it is being written', () => writes.length === writing.length);
  }
  return () => {
    release();
    writes = [];
    return Promise.all(writing);
  };
}

/** They come while all connections are busy. */
async function writeTogether(...tanks: string[]): Promise<PromiseSettledResult<Written>[]> {
  const release = await occupy();
  const together = tanks.map(write);
  await release();
  return Promise.allSettled(together);
}

describe('a request', () => {
  it('is written at once when nothing else is, and answered with what became of it', async () => {
    expect(await write('a')).toEqual(STORED);
    expect(writes).toEqual([{ tanks: ['a'], lockTimeoutMs: expect.any(Number) }]);
  });

  it('is rejected when too many wait', async () => {
    const release = await occupy();
    const waiting = Array.from({ length: MAX_WAITING + 1 }, () => write('a'));

    await expect(write('b')).rejects.toThrow(DatabaseOverloaded);

    await release();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => STORED));
  });

  it('that was accepted before the end is written before the end', async () => {
    const release = hold('a');
    const accepted = [write('a'), write('b')];
    let hasEnded = false;
    const ended = writer.beforeApplicationShutdown().then(() => (hasEnded = true));
    await until('both are tried', () => writes.length === 2);
    expect(hasEnded).toBe(false);

    release();
    await ended;

    expect(await Promise.all(accepted)).toEqual([STORED, STORED]);
  });
});

describe('requests that come during a write', () => {
  it('are written together, in their order, each answered for itself', async () => {
    const results = await writeTogether('a', 'b', 'c');

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(writes.map(({ tanks }) => tanks)).toEqual([['a', 'b', 'c']]);
  });

  it('are at most 500 in one write', async () => {
    await writeTogether(...Array.from({ length: 501 }, (_, i) => `tank ${i}`));

    expect(writes.map(({ tanks }) => tanks.length)).toEqual([500, 1]);
  });

  it('do not fail for one that the database rejects', async () => {
    meet = ({ tanks }) => {
      if (tanks.includes('bad')) throw new SqlFailure('23514');
    };

    const results = await writeTogether('a', 'bad', 'c');

    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: '23514' } },
      { status: 'fulfilled' },
    ]);
    expect(
      writes
        .slice(1)
        .map(({ tanks }) => tanks.join())
        .toSorted(),
    ).toEqual(['a', 'bad', 'c']);
  });

  it('do not wait for the one that needs a lock, which gets all its time alone', async () => {
    meet = ({ tanks, lockTimeoutMs }) => {
      if (tanks.includes('locked') && lockTimeoutMs < 10_000) throw new SqlFailure('55P03');
    };

    const results = await writeTogether('a', 'locked');

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const alone = writes
      .filter(({ tanks }) => tanks.join() === 'locked')
      .map(({ lockTimeoutMs }) => lockTimeoutMs);
    expect(alone).toEqual([100, 20_000]);
  });

  it('all fail when the database is out of reach, and are not tried again', async () => {
    meet = () => {
      throw new SqlFailure('57P01');
    };

    const results = await writeTogether('a', 'b');

    expect(
      results.map((one) => one.status === 'rejected' && one.reason instanceof DatabaseUnavailable),
    ).toEqual([true, true]);
    expect(writes).toHaveLength(1);
  });
});

describe('requests that wait for a lock', () => {
  it('never take all connections: others are written meanwhile', async () => {
    const release = hold('locked');
    const wait = meet;
    meet = (one) => {
      if (one.tanks.includes('locked') && one.lockTimeoutMs < 10_000) throw new SqlFailure('55P03');
      return wait(one);
    };
    const locked = [write('locked'), write('locked'), write('locked')];
    await until('one waits', () => writes.some(({ lockTimeoutMs }) => lockTimeoutMs === 20_000));

    expect(await write('free')).toEqual(STORED);

    release();
    expect(await Promise.all(locked)).toEqual([STORED, STORED, STORED]);
  });
});

describe('a write that met another', () => {
  it.each([
    ['in a deadlock', '40P01'],
    ['that removed its tank', '23503'],
  ])('%s is tried again, three times at most', async (_, code) => {
    const failures = [code, code];
    meet = () => {
      const failure = failures.shift();
      if (failure !== undefined) throw new SqlFailure(failure);
    };
    expect(await write('a')).toEqual(STORED);
    expect(writes).toHaveLength(3);

    failures.push(code, code, code);
    await expect(write('a')).rejects.toThrow(DatabaseUnavailable);
    expect(writes).toHaveLength(6);
  });
});
