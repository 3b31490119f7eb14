// Sending readings: any number, each stored once, each refusal named, whatever happens on the way.
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  ProblemError,
  ReadingsRefusedError,
  type NewReading,
  type ReadingOfDevice,
  type SendProgress,
} from 'tank-monitoring-client';
import { insertFleet, result, stored } from '../support/ingest.js';
import { errorOf, startFronted } from './support/front.js';

const MOST_BYTES = 4_096;

const SCOPES = ['read', 'telemetry:write'] as const;
const { service, sql, front, tms } = await startFronted(SCOPES);
/** Of a service that takes little at once. */
const narrow = await startFronted(SCOPES, {
  database: service.database,
  environment: { INGEST_MAX_BODY_BYTES: String(MOST_BYTES) },
});
beforeEach(async () => {
  await insertFleet(sql);
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

const START = Date.UTC(2026, 1, 3);

function readings(count: number, tank = 'a'): NewReading[] {
  return Array.from({ length: count }, (_, n) => ({
    tank_id: tank,
    created_at: new Date(START + n * 1_000).toISOString(),
    fill_percentage: n % 101,
  }));
}

const unknown = (n: number): ReadingOfDevice => ({
  device_id: `nobody-${n}`,
  created_at: new Date(START).toISOString(),
  fill_percentage: 1,
});

async function storedCount(): Promise<number> {
  return Object.keys(await stored(sql)).length;
}

describe('sending', () => {
  it('stores any number, compressed, in few requests', async () => {
    expect(await tms.telemetry.send(readings(12_345))).toEqual(result({ created: 12_345 }));
    expect(await storedCount()).toBe(12_345);
    expect(front.seen.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'gzip', 'gzip']);
    expect(await tms.telemetry.send(readings(12_345))).toEqual(result({ unchanged: 12_345 }));
  });

  it('stores each once when requests and answers get lost and the service is busy', async () => {
    const fates = ['answer lost', 'lost', { status: 503, headers: { 'Retry-After': '0' } }] as const;
    front.reset((n) => fates[(n - 1) % 4] ?? 'answered');
    await tms.telemetry.send(readings(12_000));
    expect(await storedCount()).toBe(12_000);
    expect(front.seen).toHaveLength(12);
  });

  it('says how far it is after each request', async () => {
    const told: SendProgress[] = [];
    await tms.telemetry.send(readings(12_000), { onProgress: (progress) => told.push(progress) });
    expect(told.map((progress) => [progress.stored, progress.created])).toEqual([
      [5_000, 5_000],
      [10_000, 10_000],
      [12_000, 12_000],
    ]);
  });

  it('splits what is more than the service takes at once', async () => {
    expect(await narrow.tms.telemetry.send(readings(1_000))).toEqual(result({ created: 1_000 }));
    expect(await storedCount()).toBe(1_000);
    // Once it is known what is too much, batches fit: far from one request for each reading.
    expect(narrow.front.seen.length).toBeLessThan(100);
  });

  it('refuses a reading that alone is too much, and no other', async () => {
    const monster = { ...unknown(0), device_id: 'x'.repeat(MOST_BYTES) };
    const error = await errorOf(narrow.tms.telemetry.send([...readings(5), monster, ...readings(5, 'b')]));
    expect(error).toMatchObject({
      code: 'readings_refused',
      errors: [{ index: 5, code: 'body_too_large', reading: monster }],
      result: { created: 10, refused: 1 },
    });
    expect(await storedCount()).toBe(10);
  });

  it('names every refused reading in one error, and stores the others', async () => {
    const all = readings(6_000).map((reading, n) => (n % 10 === 7 ? unknown(n) : reading));
    const error = await errorOf(tms.telemetry.send(all));
    expect(error).toBeInstanceOf(ReadingsRefusedError);
    expect(error).toBeInstanceOf(ProblemError);
    const { errors, ...rest } = error as ReadingsRefusedError;
    expect(rest).toMatchObject({
      status: 400,
      code: 'readings_refused',
      detail: expect.stringMatching(/^600 readings were refused, 5400 are stored\. The first: .*nobody-7"/),
      requestId: expect.any(String),
      result: { ...result({ created: 5_400, refused: 600 }) },
    });
    const places = Array.from({ length: 600 }, (_, n) => n * 10 + 7);
    expect(errors).toEqual(
      places.map((index) => ({
        index,
        code: 'unknown_device',
        detail: expect.stringContaining(`nobody-${index}"`),
        reading: all[index],
      })),
    );
    expect(await storedCount()).toBe(5_400);
  });

  it('stores nothing of an atomic one with a refused reading', async () => {
    const error = await errorOf(tms.telemetry.send([...readings(3), unknown(3)], { atomic: true }));
    expect(error).toMatchObject({
      code: 'readings_refused',
      errors: [{ index: 3, code: 'unknown_device' }],
      result: { created: 0, refused: 1 },
    });
    expect(await storedCount()).toBe(0);
    expect(await tms.telemetry.send(readings(3), { atomic: true })).toEqual(result({ created: 3 }));
    expect(await errorOf(tms.telemetry.send(readings(10_001), { atomic: true }))).toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  it.each([
    ['a problem', 'answered', { status: 500, body: '{"code":"internal_error"}' }, { code: 'internal_error' }],
    ['a lost connection', 'answered', 'lost', { name: 'ConnectionError' }],
  ] as const)('that ends early with %s says how far it came', async (_, before, fate, thrown) => {
    await tms.telemetry.send(readings(100));
    front.reset((n) => (n < 3 ? before : fate));
    const all = readings(15_000).map((reading, n) => (n === 200 || n === 6_000 ? unknown(n) : reading));
    const error = await errorOf(tms.telemetry.send(all, { maxRetries: 0 }));
    const known = { created: 9_898, updated: 0, unchanged: 100, superseded: 0, refused: 2, stored: 10_000 };
    expect(error).toMatchObject({ ...thrown, ...known });
    front.reset();
    const rest = await tms.telemetry.send(all.slice((error as SendProgress).stored));
    expect(rest).toMatchObject({ created: 5_000 });
  });

  it('ends at once when its signal is aborted, and closes its source', async () => {
    const stop = new AbortController();
    let isClosed = false;
    async function* source(): AsyncGenerator<NewReading> {
      try {
        yield* readings(15_000);
      } finally {
        isClosed = true;
      }
    }
    front.reset((n) => {
      if (n === 2) setTimeout(() => stop.abort(new Error('enough')), 50);
      return n === 2 ? 'held' : 'answered';
    });
    const error = await errorOf(tms.telemetry.send(source(), { signal: stop.signal }));
    expect(error).toEqual(new Error('enough'));
    expect(error).toMatchObject({ created: 5_000, unchanged: 0, refused: 0, stored: 5_000 });
    expect(front.seen).toHaveLength(2);
    await new Promise(setImmediate);
    expect(isClosed).toBe(true);
  });
});

describe('a batcher', () => {
  it('sends together what comes within its delay, and again what comes later', async () => {
    const batch = tms.telemetry.batcher({ maxDelayMs: 20 });
    await Promise.all(readings(50).map((reading) => batch.add(reading)));
    await Promise.all(readings(50, 'b').map((reading) => batch.add(reading)));
    expect(front.seen).toHaveLength(2);
    expect(await storedCount()).toBe(100);
  });

  it('sends at once when it is full, or told to', async () => {
    const batch = tms.telemetry.batcher({ maxReadings: 10, maxDelayMs: 3_600_000 });
    await Promise.all(readings(20).map((reading) => batch.add(reading)));
    expect(front.seen).toHaveLength(2);
    const last = batch.add(readings(1, 'b')[0]!);
    await batch.flush();
    await last;
    expect(await storedCount()).toBe(21);
  });

  it('rejects a refused reading with its own refusal, and no other', async () => {
    const batch = tms.telemetry.batcher({ maxDelayMs: 20 });
    const [one, two, three] = readings(3) as [NewReading, NewReading, NewReading];
    const outcomes = await Promise.allSettled(
      [one, unknown(1), two, unknown(2), three].map((r) => batch.add(r)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const [, refused] = outcomes as PromiseRejectedResult[];
    expect(refused?.reason).toBeInstanceOf(ProblemError);
    expect(refused?.reason).toMatchObject({
      status: 400,
      code: 'unknown_device',
      detail: expect.stringContaining('nobody-1"'),
      errors: [{ code: 'unknown_device', reading: unknown(1) }],
    });
    expect(front.seen).toHaveLength(1);
    expect(await storedCount()).toBe(3);
  });

  it('keeps the order: of two values for one instant the later stays', async () => {
    const batch = tms.telemetry.batcher({ maxReadings: 1 });
    const [reading] = readings(1) as [NewReading];
    front.reset((n) => (n === 1 ? 'lost' : 'answered'));
    await Promise.all([batch.add(reading), batch.add({ ...reading, fill_percentage: 99 })]);
    expect(await stored(sql)).toEqual({ 'a 2026-02-03T00:00:00.000Z': 99 });
  });

  it('rejects all that it could not send, and goes on with the next', async () => {
    const batch = tms.telemetry.batcher({ maxDelayMs: 20, maxRetries: 0 });
    front.reset((n) => (n === 1 ? 'lost' : 'answered'));
    const outcomes = await Promise.allSettled(readings(3).map((reading) => batch.add(reading)));
    expect(outcomes.map((one) => one.status === 'rejected' && (one.reason as Error).name)).toEqual(
      Array(3).fill('ConnectionError'),
    );
    await Promise.all(readings(3).map((reading) => batch.add(reading)));
    expect(await storedCount()).toBe(3);
  });

  it('rejects everything at once when its signal is aborted', async () => {
    const stop = new AbortController();
    const batch = tms.telemetry.batcher({ maxReadings: 2, maxDelayMs: 3_600_000, signal: stop.signal });
    front.reset(() => 'held');
    const added = readings(3).map((reading) => errorOf(batch.add(reading)));
    stop.abort(new Error('enough'));
    const late = errorOf(batch.add(readings(1)[0]!));
    expect(await Promise.all([...added, late])).toEqual(Array.from({ length: 4 }, () => new Error('enough')));
  });
});
