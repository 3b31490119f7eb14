import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FIRST_INSTANT, LAST_INSTANT } from '../common/datetime/datetime.js';
import { bucketsOf, finestFor, INTERVALS, rangeOf } from './series-range.js';

const DAY_MS = 86_400_000;
const at = (text: string): number => Date.parse(text);
const NOW = at('2026-03-10T08:15:30.500Z');

describe('the range', () => {
  it('is the last 30 days to the end of this minute, when no bound is given', () => {
    const to = at('2026-03-10T08:16:00Z');

    expect(rangeOf(undefined, undefined, NOW)).toEqual({ from: to - 30 * DAY_MS, to });
  });

  it('is 30 days long when one bound is given', () => {
    const bound = at('2026-01-01T00:00:00Z');

    expect(rangeOf(bound, undefined, NOW)).toEqual({ from: bound, to: bound + 30 * DAY_MS });
    expect(rangeOf(undefined, bound, NOW)).toEqual({ from: bound - 30 * DAY_MS, to: bound });
  });

  it('never leaves the years 1 to 9999', () => {
    expect(rangeOf(-Infinity, Infinity, NOW)).toEqual({ from: FIRST_INSTANT, to: LAST_INSTANT });
    expect(rangeOf(undefined, FIRST_INSTANT, NOW)).toEqual({ from: FIRST_INSTANT, to: FIRST_INSTANT });
    expect(rangeOf(LAST_INSTANT, undefined, NOW)).toEqual({ from: LAST_INSTANT, to: LAST_INSTANT });
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
  ] as const)('of %s start at %s, aligned to UTC', (interval, start) => {
    expect(new Date(bucketsOf({ from: NOW, to: NOW }, interval).first).toISOString()).toBe(start);
  });

  it('hold every instant of the range and no bucket more', () => {
    const instant = fc.integer({ min: FIRST_INSTANT, max: LAST_INSTANT });
    fc.assert(
      fc.property(instant, instant, fc.constantFrom(...INTERVALS), (one, other, interval) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const { first, count, stepMs } = bucketsOf({ from, to }, interval);
        const end = first + count * stepMs;
        expect([first <= from, from < first + stepMs, end - stepMs <= to, to < end]).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }),
    );
  });

  it('are none when the range ends before it starts', () => {
    expect(bucketsOf({ from: NOW, to: NOW - 1 }, '1d').count).toBe(0);
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
    expect(finestFor(day, most)).toBe(interval);
  });

  it('is none when even the longest needs more', () => {
    expect(finestFor({ from: FIRST_INSTANT, to: LAST_INSTANT }, 2_000)).toBeUndefined();
  });
});
