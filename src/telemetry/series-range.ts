// Which range a series shows and into which buckets it is cut. Buckets are aligned to UTC: minutes, hours and days to
// midnight, weeks to Mondays, and 30 days to steps from 1970-01-01.
import { DAY_MS, FIRST_INSTANT, HOUR_MS, LAST_INSTANT } from '../common/datetime/datetime.js';

export const INTERVALS = ['5m', '15m', '1h', '6h', '1d', '7d', '30d'] as const;
export type Interval = (typeof INTERVALS)[number];

const MINUTE_MS = 60_000;
const STEP_MS: Record<Interval, number> = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};
/** 1970-01-01 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

export const MAX_BUCKETS = 2_000;
const DEFAULT_SPAN_MS = 30 * DAY_MS;

/** Both ends belong to it; milliseconds since 1970. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A bound alone fixes the other 30 days away. "Now" is the end of its minute, so that an answer holds for that long. */
export function rangeOf(from: number | undefined, to: number | undefined, now: number): Range {
  if (from !== undefined) return within({ from, to: to ?? from + DEFAULT_SPAN_MS });
  const end = to ?? Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  return within({ from: end - DEFAULT_SPAN_MS, to: end });
}

const bounded = (instant: number): number => Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT);
const within = ({ from, to }: Range): Range => ({ from: bounded(from), to: bounded(to) });

export interface Buckets {
  readonly first: number;
  readonly count: number;
  readonly stepMs: number;
}

/** From the one that holds the range's start to the one that holds its end; none when the start is after the end. */
export function bucketsOf({ from, to }: Range, interval: Interval): Buckets {
  const stepMs = STEP_MS[interval];
  const origin = interval === '7d' ? FIRST_MONDAY_MS : 0;
  const first = origin + Math.floor((from - origin) / stepMs) * stepMs;
  const count = from > to ? 0 : Math.floor((to - first) / stepMs) + 1;
  return { first, count, stepMs };
}

/** The finest interval that cuts the range into at most that many buckets, if there is one. */
export function finestFor(range: Range, most: number): Interval | undefined {
  return INTERVALS.find((interval) => bucketsOf(range, interval).count <= most);
}
