// Draws the series of one tank: the tank, the totals, the buckets, gaps and refills come from one call, so from one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { postgresBound } from '../datetime/datetime.js';
import { Rows } from '../formats/rows.js';
import { badRequest, notFound } from '../problems/problem.js';
import type { SeriesQuery } from './dto/series.query.js';
import type { FilledBucket, SeriesBucketResponse, SeriesResponse, SeriesRow } from './dto/series.response.js';
import { bucketsOf, type Buckets } from './series-range.js';

/** Where the function stops counting and does not begin to read. */
const MAX_READINGS = 1_000_000;

/** A bucket may start before the year 1, which PostgreSQL only reads as a number. */
const DRAW: Statement = {
  name: 'telemetry_series',
  text: `select total, data, gaps, gaps_total, refills, refills_total
         from telemetry_series($1, $2, $3, $4, to_timestamp($5), $6, make_interval(secs => $7))`,
};

@Injectable()
export class SeriesService {
  constructor(private readonly reads: Reads) {}

  /** A deleted tank's series stays readable, as its readings do. */
  async draw(tankId: string, query: SeriesQuery, boundTo: string | null): Promise<SeriesResponse | Rows> {
    const range = query.rangeAt(Date.now());
    const buckets = bucketsOf(range, query.intervalFor(range));
    const since = isoOf(range.from);
    const until = postgresBound(range.to + 1);
    const { first, count, stepMs } = buckets;
    const row = isStorable(tankId)
      ? await this.reads.firstRow<SeriesRow>(
          DRAW,
          [tankId, boundTo, since, until, first / 1000, count, stepMs / 1000],
          true,
        )
      : undefined;
    if (row === undefined) throw notFound('There is no tank with this id.');
    if (row.total > MAX_READINGS) throw rangeTooLarge(row.total);

    const data = fillBuckets(buckets, row.data ?? []);
    if (query.rowFormat !== undefined) {
      return new Rows(query.rowFormat, data, { 'X-Total-Items': String(row.total) });
    }
    return {
      object: 'series',
      tank_id: tankId,
      created_at_gte: since,
      created_at_lte: isoOf(range.to),
      interval_seconds: stepMs / 1000,
      total_items: row.total,
      data,
      gaps: (row.gaps ?? []).toReversed().map(([from, to]) => ({
        from: isoOf(from),
        to: to === null ? null : isoOf(to),
      })),
      refills: (row.refills ?? []).toReversed().map(([at, from, to]) => ({ at: isoOf(at), from, to })),
      gaps_total: row.gaps_total,
      refills_total: row.refills_total,
    };
  }
}

/** All buckets there are; those without a reading are empty, and nothing is made up for them. */
function fillBuckets(
  { first, count, stepMs }: Buckets,
  filled: readonly FilledBucket[],
): SeriesBucketResponse[] {
  const data = Array.from({ length: count }, (_, number): SeriesBucketResponse => {
    const start = isoOf(first + number * stepMs);
    return { start, count: 0, first: null, last: null, min: null, max: null, mean: null };
  });
  for (const [number, readings, oldest, newest, min, max, mean] of filled) {
    const bucket = data[number];
    if (bucket === undefined) throw new Error('A bucket that was not asked for.');
    const { start } = bucket;
    data[number] = {
      start,
      count: readings,
      first: oldest,
      last: newest,
      min,
      max,
      mean: tidy(mean, min, max),
    };
  }
  return data;
}

/** Sums of fractions are a little off: the mean of 12.4 and 17.4 would be 14.899999999999999, that of equal ones another. */
function tidy(mean: number, min: number, max: number): number {
  return Math.min(Math.max(Math.round(mean * 1e9) / 1e9, min), max);
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function rangeTooLarge(readings: number) {
  return badRequest(
    'range_too_large',
    `The range holds ${readings} readings, and a series is drawn from at most ${MAX_READINGS}; choose a shorter range.`,
  );
}
