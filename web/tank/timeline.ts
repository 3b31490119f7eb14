// A series as a line of moments, oldest first: a value for each bucket that has readings, and a hole for each gap. The plot,
// its cursor and the table are all made of it, so they cannot tell different stories.
import type { Series, SeriesBucket, SeriesGap, SeriesRefill } from 'tank-monitoring-client';

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

export type Moment = Value | Hole;

type Filled = { readonly [Field in keyof SeriesBucket]: NonNullable<SeriesBucket[Field]> };

export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly moments: readonly Moment[];
  readonly refills: readonly SeriesRefill[];
  readonly silentAtEnd: boolean;
}

export function timelineOf(series: Series, now: number): Timeline {
  const from = Date.parse(series.created_at_gte);
  const to = Math.max(from + 1, Math.min(Date.parse(series.created_at_lte), now));
  const values = series.data.filter(isFilled).map((bucket) => valueOf(bucket, series, from, to));
  const holes = series.gaps.map((gap) => holeOf(gap, from, to));
  return {
    from,
    to,
    moments: [...values, ...holes].toSorted((a, b) => a.at - b.at),
    refills: series.refills,
    silentAtEnd: series.gaps.some((gap) => gap.to === null),
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
