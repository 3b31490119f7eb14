// Which range a series shows and into which buckets it is cut. Days, weeks (from Monday) and months are those of a time zone; shorter
// buckets are aligned to midnight in UTC, and 30 days to steps from 1970-01-01.
import { DAY_MS, FIRST_INSTANT, HOUR_MS, LAST_INSTANT } from '../common/datetime/datetime.js';
import { dayAt, startOfDay } from '../common/datetime/time-zone.js';

const LADDER = ['5m', '15m', '1h', '6h', '1d', '7d', '30d'] as const;
export const INTERVALS = [...LADDER, '1mo'] as const;
export type Interval = (typeof INTERVALS)[number];

const MINUTE_MS = 60_000;
/** Nominal: a day may have 23 hours, and a month 31 days. */
export const STEP_MS: Record<Interval, number> = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '1mo': 30 * DAY_MS,
};
/** In days: 1970-01-01 was a Thursday. */
const FIRST_MONDAY = 4;

export const MAX_BUCKETS = 2_000;
const DEFAULT_SPAN_MS = 30 * DAY_MS;

/** Both ends belong to it; milliseconds since 1970. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A bound alone fixes the other 30 days away. "Now" is the end of its minute, so that an answer holds for that long. */
export function resolveRange(from: number | undefined, to: number | undefined, now: number): Range {
  if (from !== undefined) return within({ from, to: to ?? from + DEFAULT_SPAN_MS });
  const end = to ?? Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  return within({ from: end - DEFAULT_SPAN_MS, to: end });
}

const bounded = (instant: number): number => Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT);
const within = ({ from, to }: Range): Range => ({ from: bounded(from), to: bounded(to) });

/** Where buckets start: they are numbered, `numberAt` an instant is the one that starts next to it or before it. */
interface Grid {
  readonly numberAt: (instant: number, zone: string) => number;
  readonly startOf: (number: number, zone: string) => number;
}

const ofLength = (stepMs: number): Grid => ({
  numberAt: (instant) => Math.floor(instant / stepMs),
  startOf: (number) => number * stepMs,
});

const ofDays = (numberOf: (day: number) => number, firstDayOf: (number: number) => number): Grid => ({
  numberAt: (instant, zone) => numberOf(dayAt(zone, instant)),
  startOf: (number, zone) => startOfDay(zone, firstDayOf(number)),
});

const GRIDS: Partial<Record<Interval, Grid>> = {
  '1d': ofDays(
    (day) => day,
    (day) => day,
  ),
  '7d': ofDays(
    (day) => Math.floor((day - FIRST_MONDAY) / 7),
    (week) => week * 7 + FIRST_MONDAY,
  ),
  '1mo': ofDays(
    (day) => new Date(day * DAY_MS).getUTCFullYear() * 12 + new Date(day * DAY_MS).getUTCMonth(),
    (month) => new Date(0).setUTCFullYear(0, month, 1) / DAY_MS,
  ),
};

const gridOf = (interval: Interval): Grid => GRIDS[interval] ?? ofLength(STEP_MS[interval]);

/** How many buckets there are. Exact up to MAX_BUCKETS; more are too many anyway. */
export function countBuckets(range: Range, interval: Interval, zone: string): number {
  const { numberAt } = gridOf(interval);
  const { from, to } = range;
  const count = from > to ? 0 : numberAt(to, zone) - numberAt(from, zone) + 1;
  return count > MAX_BUCKETS + 1 ? count : listBucketStarts(range, interval, zone).length;
}

/**
 * From the bucket that holds the range's start to the one that holds its end; none when the start is after the end. A clock that is set back over
 * midnight shows a date again whose next one has begun, and a skipped date is empty, so each is compared with the range.
 */
export function listBucketStarts({ from, to }: Range, interval: Interval, zone: string): number[] {
  if (from > to) return [];
  const { numberAt, startOf } = gridOf(interval);
  const first = numberAt(from, zone);
  const starts = Array.from({ length: numberAt(to, zone) - first + 3 }, (_, i) => startOf(first + i, zone));
  return starts.filter((start, i) => {
    const next = starts[i + 1];
    return next !== undefined && start < next && start <= to && next > from;
  });
}

/** The finest interval of the ladder that cuts the range into at most that many buckets, if there is one. */
export function finestFor(range: Range, most: number, zone: string): Interval | undefined {
  return LADDER.find((interval) => countBuckets(range, interval, zone) <= most);
}
