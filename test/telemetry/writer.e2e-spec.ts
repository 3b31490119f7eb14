// How readings are written: what comes together travels together, nobody waits for the lock of another, and what met another is tried
// again. Triggers of its own make the mishaps.
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { loadConfig } from '../../src/platform/config/config.js';
import { writePoolOptions } from '../../src/platform/database/data-source.js';
import { DatabaseOverloaded, DatabaseUnavailable } from '../../src/platform/database/failures.js';
import { IngestWrites } from '../../src/platform/database/ingest-writes.js';
import { openPool } from '../../src/platform/database/pool.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { ReadingBatch } from '../../src/telemetry/ingest/reading-batch.js';
import { ReadingWriter } from '../../src/telemetry/ingest/reading-writer.js';
import { hold, waitForLocks } from '../faults/support/own-postgres.js';
import { insertFleetOf } from '../support/builders.js';
import { openDatabase } from '../support/operator.js';

const MAX_WAITING = 500;
const STORED = { created: 1, updated: 0, unchanged: 0, superseded: 0 };

const { url, sql } = await openDatabase();
// Two connections; a busy machine makes a test slower, not red.
const config = loadConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '4', ANSWER_TIMEOUT_MS: '60000' });
const pool = openPool(writePoolOptions(url, config));
const writer = openWriter(config.ingest.lockTimeoutMs);

afterAll(() => pool.end());
beforeEach(() => insertFleetOf(sql, { ours: ['a', 'b', 'held'] }));
afterEach(() => release());

function openWriter(lockTimeoutMs: number): ReadingWriter {
  const limits = { ...config.limits, maxWaitingRequests: MAX_WAITING };
  const bounded = { ...config, limits, ingest: { ...config.ingest, lockTimeoutMs } };
  return new ReadingWriter(new IngestWrites(pool), new Metrics(bounded, pool), bounded);
}

let minute = 0;
function write(tankId: string, through = writer) {
  const batch = new ReadingBatch(Date.now());
  const created_at = new Date(Date.UTC(2026, 0, 1) + (minute += 1) * 60_000).toISOString();
  batch.add({ tank_id: tankId, created_at, fill_percentage: 50 });
  return through.write({ batch, boundTo: null, isAtomic: false });
}

let release = () => Promise.resolve();
/** Whoever writes readings of the tank waits until release(). */
async function lockTank(): Promise<void> {
  release = await hold(url, "select from tanks where id = 'held' for update");
}

/** What is sent while both connections are busy, and comes together. */
async function whileBusy<T>(send: () => T): Promise<T> {
  await lockTank();
  const busy = [write('held'), write('held')];
  await waitForLocks(url, 2, 'ingest');
  const sent = send();
  await release();
  await Promise.all(busy);
  return sent;
}

/** So many times, storing a reading of the tank fails like that; a sequence is not rolled back. */
async function failTimes(times: number, code: string): Promise<void> {
  await sql.query(`
    drop sequence if exists tries;
    create sequence tries;
    create or replace function fail() returns trigger language plpgsql as $$ begin
      if new.tank_key = (select key from tanks where id = 'a') and nextval('tries') <= ${times} then
        raise exception using errcode = '${code}';
      end if;
      return new;
    end $$;
    create or replace trigger fail before insert on telemetry for each row execute function fail()`);
}

describe('requests that come during a write', () => {
  it('are written together, at most 500 at once; one more than may wait is refused', async () => {
    const [waiting, refused] = await whileBusy(() => [
      Promise.all(Array.from({ length: MAX_WAITING + 1 }, () => write('b'))),
      write('b').catch((error: unknown) => error),
    ]);

    expect(await waiting).toEqual(Array.from({ length: MAX_WAITING + 1 }, () => STORED));
    expect(await refused).toBeInstanceOf(DatabaseOverloaded);
    const { rows } = await sql.query<{ n: number }>(
      `select count(*)::int as n from telemetry join tanks on tanks.key = tank_key
       where id = 'b' group by telemetry.xmin::text order by n`,
    );
    expect(rows).toEqual([{ n: 1 }, { n: 500 }]); // by transaction
  });

  it('do not fail for one that the database rejects', async () => {
    await failTimes(2, '23514');

    const results = await whileBusy(() => Promise.allSettled(['b', 'a', 'b'].map((tank) => write(tank))));

    expect(results).toMatchObject([
      { value: STORED },
      { status: 'rejected', reason: { code: '23514' } },
      { value: STORED },
    ]);
  });

  it('all fail when the database is out of reach, and are not tried again', async () => {
    await failTimes(1, '57P01');

    const results = await whileBusy(() => Promise.allSettled([write('b'), write('a')]));

    const failed = { status: 'rejected', reason: expect.any(DatabaseUnavailable) };
    expect(results).toEqual([failed, failed]);
  });

  it('are written before the end', async () => {
    const done: string[] = [];
    await whileBusy(() => [
      writer.beforeApplicationShutdown().then(() => done.push('ended')),
      write('b').then(() => done.push('written')),
    ]).then((both) => Promise.all(both));

    expect(done).toEqual(['written', 'ended']);
  });
});

it('requests that wait for a lock keep no others waiting, and have all their time alone', async () => {
  const patient = openWriter(20_000); // together a tenth of it
  await lockTank();
  const locked = [write('held', patient), write('held', patient), write('held', patient)];
  expect(await write('b', patient)).toEqual(STORED);
  await waitForLocks(url, 1, 'ingest');
  await release();

  expect(await Promise.all(locked)).toEqual([STORED, STORED, STORED]);
});

it.each([
  ['in a deadlock', '40P01', DatabaseUnavailable],
  ['that removed its tank', '23503', DatabaseError],
])('a write that met another %s is tried again, three times at most', async (_, code, failure) => {
  await failTimes(2, code);
  expect(await write('a')).toEqual(STORED);

  await failTimes(3, code);
  await expect(write('a')).rejects.toThrow(failure);
  expect((await sql.query('select last_value from tries')).rows).toEqual([{ last_value: '3' }]);
});
