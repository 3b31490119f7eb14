// A series as a line of moments, oldest first: a value for each bucket that has readings, and a hole for each gap. The plot,
// its cursor and the table are all made of it, so they cannot tell different stories.
import type {
  Series,
  SeriesBucket,
  SeriesGap,
  SeriesRefill,
  TankEvent,
  TankForecast,
} from 'tank-monitoring-client';
import { DAY } from '../format.js';

export interface Value {
  readonly kind: 'value';
  /** Where it is drawn: the middle of its bucket. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly bucket: Filled;
  readonly refills: readonly SeriesRefill[];
}

export interface Hole {
  readonly kind: 'gap';
  readonly at: number;
  readonly from: number;
  /** Undefined: it lasts until now. */
  readonly to: number | undefined;
}

/** A level that is expected, and what it may be. */
export interface Ahead {
  readonly kind: 'ahead';
  readonly at: number;
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
}

export type Moment = Value | Hole | Ahead;

export interface Happened {
  readonly event: TankEvent;
  readonly at: number;
  /** Which of the moments tells of it. */
  readonly place: number;
}

type Filled = { readonly [Field in keyof SeriesBucket]: NonNullable<SeriesBucket[Field]> };

export interface Timeline {
  readonly from: number;
  readonly to: number;
  /** Where the plot ends: later than `to` when there is a forecast. */
  readonly end: number;
  readonly moments: readonly Moment[];
  readonly refills: readonly SeriesRefill[];
  /** All but refills, which the series has; oldest first. */
  readonly events: readonly Happened[];
}

export function timelineOf(
  series: Series,
  forecast: TankForecast | null,
  events: readonly TankEvent[],
  now: number,
): Timeline {
  const from = Date.parse(series.created_at_gte);
  const until = Date.parse(series.created_at_lte);
  const to = Math.max(from + 1, Math.min(until, now));
  const values = series.data.filter(isFilled).map((bucket) => valueOf(bucket, series, from, to));
  const holes = series.gaps.map((gap) => holeOf(gap, from, to));
  const past = [...values, ...holes].toSorted((a, b) => a.at - b.at);
  const ahead = until < now ? [] : aheadOf(forecast, to, to - from);
  return {
    from,
    to,
    end: ahead.at(-1)?.at ?? to,
    moments: [...past, ...ahead],
    refills: series.refills,
    events: events
      .filter(({ type }) => type !== 'tank.refilled')
      .map((event) => happenedIn(past, event))
      .filter(({ at }) => at >= from && at <= until)
      .toReversed(),
  };
}

function isFilled(bucket: SeriesBucket): bucket is Filled {
  return bucket.count > 0;
}

/** The first and the last bucket are cut by the range, and the last one may not be over yet. */
function valueOf(bucket: Filled, series: Series, from: number, to: number): Value {
  const begin = Date.parse(bucket.start);
  const start = Math.max(begin, from);
  const end = Math.min(begin + series.interval_seconds * 1_000, to);
  const refills = series.refills.filter(({ at }) => Date.parse(at) >= begin && Date.parse(at) < end);
  return { kind: 'value', at: (start + end) / 2, start, end, bucket, refills };
}

/** Gaps are told whole, even where they reach beyond the range; the hole is drawn inside it. */
function holeOf(gap: SeriesGap, from: number, to: number): Hole {
  const [begin, end] = [Date.parse(gap.from), gap.to === null ? undefined : Date.parse(gap.to)];
  const middle = (Math.max(begin, from) + Math.min(end ?? to, to)) / 2;
  return { kind: 'gap', at: middle, from: begin, to: end };
}

/** In a bucket or a gap, or else where one is least far away. */
function happenedIn(past: readonly (Value | Hole)[], event: TankEvent): Happened {
  const at = Date.parse(event.created_at);
  const distances = past.map((one) => {
    const [from, to] = one.kind === 'gap' ? [one.from, one.to ?? at] : [one.start, one.end];
    return Math.max(from - at, at - to, 0);
  });
  return { event, at, place: distances.indexOf(Math.min(...distances)) };
}

/** From now on, for half as long as the past that is shown, but from one day to thirty. */
function aheadOf(forecast: TankForecast | null, now: number, past: number): Ahead[] {
  const points = (forecast?.data ?? []).map((day) => ({
    ...day,
    kind: 'ahead' as const,
    at: Date.parse(day.at),
  }));
  const days = Math.min(Math.max(Math.ceil(past / 2 / DAY), 1), 30);
  const shown = points.filter(({ at }) => at > now).slice(0, days);
  const level = forecast?.level ?? 0;
  return shown.length === 0 ? [] : [{ kind: 'ahead', at: now, p10: level, p50: level, p90: level }, ...shown];
}
