// What a series tells of its buckets, gaps and refills against a plain model in memory, over random histories. Where buckets start is in
// src/telemetry/series-range.spec.ts. When it fails, fast-check prints the seed and the smallest counterexample it found.
import { expect, it } from '@jest/globals';
import { fc } from '../support/cases.js';
import {
  countBuckets,
  INTERVALS,
  listBucketStarts,
  MAX_BUCKETS,
  STEP_MS,
  type Interval,
} from '../../src/telemetry/series-range.js';
import { startService } from '../support/app.js';
import { insertFleetOf, insertReadings } from '../support/builders.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

const service = await startService();
const { api, sql } = service;

const HISTORIES = 40;
const QUESTIONS_PER_HISTORY = 12;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 28); // a Wednesday, a month ends soon

const ZONES = ['UTC', 'Europe/Vienna', 'America/St_Johns', 'Asia/Beirut', 'Pacific/Chatham'];

interface Reading {
  readonly at: number;
  readonly fill: number;
}

/** Mostly regular, with silences and refills, edges of buckets, and values that floating point adds up badly. */
const history: fc.Arbitrary<Reading[]> = fc
  .record({
    rhythm: fc.constantFrom(MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY),
    pauses: fc.array(fc.tuple(fc.constantFrom(1, 1, 1, 1, 2, 3, 4, 30), fc.constantFrom(0, 0, -1, 1, 137)), {
      maxLength: 60,
    }),
    fills: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 }),
  })
  .map(({ rhythm, pauses, fills }) => {
    let at = START;
    return pauses.map(([steps, off], i) => {
      at += steps * rhythm + off;
      return { at, fill: (fills[i % fills.length] ?? 0) / 10 };
    });
  });

/** Where a range starts or ends: at a reading or beside it, or anywhere. */
const bound = fc.oneof(
  fc.record({ reading: fc.nat(), off: fc.constantFrom(0, 0, -1, 1, -DAY, DAY) }),
  fc.integer({ min: -3, max: 90 }),
);
const question = fc.record({
  bounds: fc.tuple(bound, bound),
  interval: fc.constantFrom(...INTERVALS),
  zone: fc.constantFrom(...ZONES),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

function instantOf(one: Question['bounds'][number], readings: readonly Reading[]): number {
  if (typeof one === 'number') return START + one * 7 * HOUR;
  return (readings[one.reading % Math.max(readings.length, 1)]?.at ?? START) + one.off;
}

const isoOf = (milliseconds: number) => new Date(milliseconds).toISOString();

function silentAfter(readings: readonly Reading[]): number {
  const newest = readings.slice(-10);
  if (newest.length < 3) return DAY;
  const gaps = newest.slice(1).map(({ at }, i) => at - (newest[i]?.at ?? 0));
  gaps.sort((a, b) => a - b);
  const median =
    ((gaps[Math.floor((gaps.length - 1) / 2)] ?? 0) + (gaps[Math.floor(gaps.length / 2)] ?? 0)) / 2;
  return Math.min(Math.max(Math.round((3 * median) / SECOND) * SECOND, HOUR), 7 * DAY);
}

function usedIn(pairs: readonly { before: Reading; after: Reading }[]): number | null {
  const counted = pairs.filter(({ before, after }) => {
    const rise = Math.round((after.fill - before.fill) * 1e6);
    return rise < 5e6 && -rise <= 20e6 && after.at - before.at <= 7 * DAY;
  });
  const used = counted.reduce((sum, { before, after }) => sum + before.fill - after.fill, 0);
  return counted.length === 0 ? null : Math.round(used * 100) / 100 || 0;
}

function expectedSeries(
  readings: readonly Reading[],
  from: number,
  to: number,
  interval: Interval,
  zone: string,
) {
  const isInside = ({ at }: Reading) => at >= from && at <= to;
  const inside = readings.filter(isInside);
  const pairs = readings.slice(1).map((after, i) => ({ before: readings[i] ?? after, after }));
  const data = listBucketStarts({ from, to }, interval, zone).map((start, i, starts) => {
    const isHeld = ({ at }: Reading) => at >= start && at < (starts[i + 1] ?? Infinity);
    const held = inside.filter(isHeld).map(({ fill }) => fill);
    if (held.length === 0) {
      const nothing = { first: null, last: null, min: null, max: null, mean: null, used: null };
      return { start: isoOf(start), count: 0, ...nothing };
    }
    return {
      start: isoOf(start),
      count: held.length,
      first: held[0],
      last: held.at(-1),
      min: Math.min(...held),
      max: Math.max(...held),
      mean: expect.closeTo(held.reduce((a, b) => a + b, 0) / held.length, 8),
      used: usedIn(pairs.filter(({ after }) => isInside(after) && isHeld(after))),
    };
  });
  const limit = silentAfter(readings);
  const gaps: { from: string; to: string | null }[] = pairs
    .filter(({ before, after }) => after.at - before.at > limit && before.at <= to && after.at >= from)
    .map(({ before, after }) => ({ from: isoOf(before.at), to: isoOf(after.at) }));
  const newest = readings.at(-1);
  if (newest !== undefined && newest.at <= to) gaps.push({ from: isoOf(newest.at), to: null }); // all histories are long over
  const refills = pairs
    .filter(({ before, after }) => isInside(after) && Math.round((after.fill - before.fill) * 1e6) >= 5e6)
    .map(({ before, after }) => ({ at: isoOf(after.at), from: before.fill, to: after.fill }));
  return {
    object: 'series',
    tank_id: 'tank',
    created_at_gte: isoOf(from),
    created_at_lte: isoOf(to),
    time_zone: zone,
    interval,
    interval_seconds: STEP_MS[interval] / SECOND,
    total_items: inside.length,
    data,
    gaps: from <= to ? gaps : [],
    refills,
    gaps_total: from <= to ? gaps.length : 0,
    refills_total: refills.length,
  };
}

async function askAndCompare(readings: readonly Reading[], asked: Question): Promise<void> {
  const { bounds, zone } = asked;
  const [from, to] = [instantOf(bounds[0], readings), instantOf(bounds[1], readings)];
  const fits = countBuckets({ from, to }, asked.interval, zone) <= MAX_BUCKETS;
  const interval: Interval = fits ? asked.interval : '30d';

  const { body } = await api
    .get('/v1/tanks/tank/telemetry/series')
    .query({ created_at_gte: isoOf(from), created_at_lte: isoOf(to), time_zone: zone, interval })
    .expect(200);

  expect(body).toEqual(expectedSeries(readings, from, to, interval, zone));
}

it(
  'a series shows the buckets, use, gaps and refills of a plain model',
  async () => {
    const property = fc.asyncProperty(
      history,
      fc.array(question, { minLength: QUESTIONS_PER_HISTORY, maxLength: QUESTIONS_PER_HISTORY }),
      async (readings, questions) => {
        await insertFleetOf(sql, { owner: ['tank', 'neighbour'] });
        const rows = readings.map(({ at, fill }) => ({ created_at: isoOf(at), fill_percentage: fill }));
        await insertReadings(sql, 'tank', rows);
        await insertReadings(sql, 'neighbour', [{ created_at: isoOf(START), fill_percentage: 77 }]);
        for (const asked of questions) await askAndCompare(readings, asked);
      },
    );
    expect(await holds(property, HISTORIES)).toBe(true);
  },
  PROPERTY_TIMEOUT_MS,
);
