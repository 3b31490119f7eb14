import { describe, expect, it } from '@jest/globals';
import { fc } from '../../test/support/cases.js';
import { FIRST_INSTANT, LAST_INSTANT } from '../common/datetime/datetime.js';
import {
  countBuckets,
  finestFor,
  INTERVALS,
  resolveRange,
  listBucketStarts,
  STEP_MS,
} from './series-range.js';
import type { Interval, Range } from './series-range.js';

const DAY_MS = 86_400_000;
const at = (text: string): number => Date.parse(text);
const NOW = at('2026-03-10T08:15:30.500Z');

const textsOf = (range: Range, interval: Interval, zone = 'UTC'): string[] =>
  listBucketStarts(range, interval, zone).map((start) => new Date(start).toISOString());

describe('the range', () => {
  it('is the last 30 days to the end of this minute, when no bound is given', () => {
    const to = at('2026-03-10T08:16:00Z');

    expect(resolveRange(undefined, undefined, NOW)).toEqual({ from: to - 30 * DAY_MS, to });
  });

  it('is 30 days long when one bound is given', () => {
    const bound = at('2026-01-01T00:00:00Z');

    expect(resolveRange(bound, undefined, NOW)).toEqual({ from: bound, to: bound + 30 * DAY_MS });
    expect(resolveRange(undefined, bound, NOW)).toEqual({ from: bound - 30 * DAY_MS, to: bound });
  });

  it('never leaves the years 1 to 9999', () => {
    expect(resolveRange(-Infinity, Infinity, NOW)).toEqual({ from: FIRST_INSTANT, to: LAST_INSTANT });
    expect(resolveRange(undefined, FIRST_INSTANT, NOW)).toEqual({ from: FIRST_INSTANT, to: FIRST_INSTANT });
    expect(resolveRange(LAST_INSTANT, undefined, NOW)).toEqual({ from: LAST_INSTANT, to: LAST_INSTANT });
  });
});

describe('the buckets', () => {
  it.each([
    ['5m', '2026-03-10T08:15:00.000Z'],
    ['15m', '2026-03-10T08:15:00.000Z'],
    ['1h', '2026-03-10T08:00:00.000Z'],
    ['6h', '2026-03-10T06:00:00.000Z'],
    ['1d', '2026-03-10T00:00:00.000Z'],
    ['7d', '2026-03-09T00:00:00.000Z'], // a Monday
    ['30d', '2026-03-08T00:00:00.000Z'],
    ['1mo', '2026-03-01T00:00:00.000Z'],
  ] as const)('of %s start at %s, aligned to UTC', (interval, start) => {
    expect(textsOf({ from: NOW, to: NOW }, interval)).toEqual([start]);
  });

  it.each([
    ['6h', ['2026-03-29T18:00:00.000Z']],
    ['1d', ['2026-03-29T22:00:00.000Z']],
    ['7d', ['2026-03-29T22:00:00.000Z']], // a Monday there
    ['30d', ['2026-03-08T00:00:00.000Z']],
    ['1mo', ['2026-02-28T23:00:00.000Z']],
  ] as const)('of %s start at %j in Vienna', (interval, starts) => {
    const instant = at('2026-03-29T22:30:00Z');
    expect(textsOf({ from: instant, to: instant }, interval, 'Europe/Vienna')).toEqual(starts);
  });

  it('are none for a date that the zone skipped', () => {
    const range = { from: at('2011-12-29T12:00:00Z'), to: at('2011-12-30T12:00:00Z') };

    const days = ['2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z'];
    expect(textsOf(range, '1d', 'Pacific/Apia')).toEqual(days);
    expect(countBuckets(range, '1d', 'Pacific/Apia')).toBe(2);
  });

  it('begin once when a clock is set back over midnight', () => {
    const range = { from: at('2006-10-29T02:40:00Z'), to: at('2006-10-29T03:00:00Z') }; // 23:10 to 23:30, again

    expect(textsOf(range, '1d', 'America/St_Johns')).toEqual(['2006-10-29T02:30:00.000Z']);
  });

  it('hold every instant of the range and no bucket more', () => {
    const instant = fc.integer({ min: FIRST_INSTANT, max: LAST_INSTANT });
    const length = fc.oneof(
      fc.integer({ min: 0, max: 100 * DAY_MS }),
      fc.integer({ min: 0, max: LAST_INSTANT }),
    );
    fc.assert(
      fc.property(instant, length, fc.constantFrom(...INTERVALS), (from, long, interval) => {
        const to = from + long;
        const count = countBuckets({ from, to }, interval, 'UTC');
        if (count > 2_000) return;
        const starts = listBucketStarts({ from, to }, interval, 'UTC');
        const [first = NaN, second = Infinity] = starts;
        expect([first <= from, from < second, (starts.at(-1) ?? NaN) <= to]).toEqual([true, true, true]);
        const steps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
        const isMonth = interval === '1mo';
        expect(steps.filter((step) => !isMonth && step !== STEP_MS[interval])).toEqual([]);
        expect([
          starts.length,
          to < (starts.at(-1) ?? NaN) + STEP_MS[interval] + Number(isMonth) * DAY_MS,
        ]).toEqual([count, true]);
      }),
    );
  });

  it('are none when the range ends before it starts', () => {
    expect(listBucketStarts({ from: NOW, to: NOW - 1 }, '1d', 'UTC')).toEqual([]);
  });
});

describe('the finest interval', () => {
  const day = { from: at('2026-03-10T00:00:00Z'), to: at('2026-03-10T23:59:59.999Z') };

  it.each([
    [288, '5m'],
    [287, '15m'],
    [24, '1h'],
    [1, '1d'],
  ])('that cuts a day into at most %d buckets is %s', (most, interval) => {
    expect(finestFor(day, most, 'UTC')).toBe(interval);
  });

  it('is none when even the longest needs more', () => {
    expect(finestFor({ from: FIRST_INSTANT, to: LAST_INSTANT }, 2_000, 'UTC')).toBeUndefined();
  });
});
