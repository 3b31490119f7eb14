// The series of one tank: its totals, buckets, gaps and refills come from one call, so from one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../platform/database/reads.js';
import { postgresBound } from '../common/datetime/datetime.js';
import { Rows } from '../common/pagination/rows.js';
import { badRequest, notFound } from '../common/problems/problem.js';
import { roundTo } from '../common/rounding.js';
import { NUMBERS } from '../rules.js';
import type { SeriesQuery } from './dto/series.query.js';
import { SeriesBucketResponse } from './dto/series.response.js';
import type { FilledBucket, SeriesResponse, SeriesRow } from './dto/series.response.js';
import { listBucketStarts, STEP_MS } from './series-range.js';

/** A bucket may start before the year 1, which PostgreSQL only reads as a number. */
const SERIES: Statement = {
  name: 'telemetry_buckets',
  text: `select total, data, gaps, gaps_total, refills, refills_total
         from telemetry_buckets($1, $2, $3, $4, array(select to_timestamp(start) from unnest($5::float8[]) start))`,
};

@Injectable()
export class SeriesService {
  constructor(private readonly reads: Reads) {}

  /** A deleted tank's series stays readable, as its readings do. */
  async get(
    tankId: string,
    query: SeriesQuery,
    boundTo: string | null,
  ): Promise<SeriesResponse | Rows<SeriesBucketResponse>> {
    const range = query.rangeAt(Date.now());
    const interval = query.intervalFor(range);
    const starts = listBucketStarts(range, interval, query.zone);
    const since = toIso(range.from);
    const until = postgresBound(range.to + 1);
    const values = [tankId, boundTo, since, until, `{${starts.map((start) => start / 1000).join(',')}}`];
    const row = await this.reads.firstRow<SeriesRow>(SERIES, values, true);
    if (row === undefined) throw notFound('There is no tank with this id.');
    if (row.total > NUMBERS.SERIES_MOST_READINGS) {
      const detail = `The range holds ${row.total} readings, and a series is made of at most ${NUMBERS.SERIES_MOST_READINGS}; choose a shorter range.`;
      throw badRequest('range_too_large', detail);
    }

    const data = fillBuckets(starts, row.data ?? []);
    if (query.rowFormat !== undefined) {
      return new Rows(query.rowFormat, SeriesBucketResponse, data, { 'X-Total-Items': String(row.total) });
    }
    return {
      object: 'series',
      tank_id: tankId,
      created_at_gte: since,
      created_at_lte: toIso(range.to),
      time_zone: query.zone,
      interval,
      interval_seconds: STEP_MS[interval] / 1000,
      total_items: row.total,
      data,
      gaps: (row.gaps ?? []).toReversed().map(([from, to]) => ({
        from: toIso(from),
        to: to === null ? null : toIso(to),
      })),
      refills: (row.refills ?? []).toReversed().map(([at, from, to]) => ({ at: toIso(at), from, to })),
      gaps_total: row.gaps_total,
      refills_total: row.refills_total,
    };
  }
}

/** All buckets; those without a reading are empty, and nothing is interpolated. */
function fillBuckets(starts: readonly number[], filled: readonly FilledBucket[]): SeriesBucketResponse[] {
  const data = starts.map((start): SeriesBucketResponse => {
    const empty = { first: null, last: null, min: null, max: null, mean: null, used: null };
    return { start: toIso(start), count: 0, ...empty };
  });
  for (const [number, count, first, last, min, max, mean, used] of filled) {
    const bucket = data[number];
    if (bucket === undefined) throw new Error('The database returned an unknown bucket.');
    const { start } = bucket;
    const points = used === null ? null : roundTo(roundTo(used, 9), 2);
    data[number] = { start, count, first, last, min, max, mean: tidy(mean, min, max), used: points };
  }
  return data;
}

/** Sums of fractions are a little off: the mean of 12.4 and 17.4 would be 14.899999999999999. */
function tidy(mean: number, min: number, max: number): number {
  return Math.min(Math.max(Math.round(mean * 1e9) / 1e9, min), max);
}

function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
