// The parameters of a series: a range, and the length or number of its buckets.
import { ApiOptional } from '../../common/openapi/properties.js';
import { FormattedQuery } from '../../common/pagination/dto/page.query.js';
import { isTimeZone, UTC } from '../../common/datetime/time-zone.js';
import {
  IsDatetime,
  IsOneOf,
  IsTimeZone,
  IsWholeNumber,
  rule,
} from '../../common/validation/parameter-rules.js';
import { countBuckets, finestFor, INTERVALS, MAX_BUCKETS, resolveRange } from '../series-range.js';
import type { Interval, Range } from '../series-range.js';

const MIN_POINTS = 10;
const DEFAULT_POINTS = 300;

export class SeriesQuery extends FormattedQuery {
  @ApiOptional(
    'The start of the range, an ISO datetime; a date alone means the first instant of that day in `time_zone`. Without it, 30 days before the end.',
    {},
    HasFewBuckets(() => '30d'),
    IsDatetime('first', zoneIn),
  )
  created_at_gte?: Date;

  @ApiOptional(
    'The end of the range, an ISO datetime; a date alone means the last instant of that day in `time_zone`. Without it, 30 days after the start, or now.',
    {},
    IsDatetime('last', zoneIn),
  )
  created_at_lte?: Date;

  @ApiOptional(
    'Maximum number of buckets: the finest interval that needs no more than that is used, or `30d` if none does. Not together with `interval`.',
    { type: 'integer', minimum: MIN_POINTS, maximum: MAX_BUCKETS, default: DEFAULT_POINTS },
    IsNotWith('interval'),
    IsWholeNumber({ min: MIN_POINTS, max: MAX_BUCKETS }),
  )
  points?: number;

  @ApiOptional(
    `How long a bucket is; \`1mo\` is a calendar month. Not together with \`points\`; at most ${MAX_BUCKETS} buckets.`,
    { enum: INTERVALS, enumName: 'SeriesInterval' },
    HasFewBuckets((query) => query.interval),
    IsNotWith('points'),
    IsOneOf(INTERVALS),
  )
  interval?: Interval;

  @ApiOptional(
    'A name of the IANA database, such as `Europe/Vienna`. Buckets of `1d`, `7d` and `1mo` are its days, weeks (from Monday) and months, and a date alone is its day; other buckets are aligned to UTC.',
    { type: 'string', default: UTC },
    IsTimeZone(),
  )
  time_zone?: string;

  get zone(): string {
    return zoneIn(this);
  }

  get hasReadableBounds(): boolean {
    return [this.created_at_gte, this.created_at_lte].every(
      (bound) => bound === undefined || bound instanceof Date,
    );
  }

  rangeAt(now: number): Range {
    return resolveRange(this.created_at_gte?.getTime(), this.created_at_lte?.getTime(), now);
  }

  intervalFor(range: Range): Interval {
    return this.interval ?? finestFor(range, this.points ?? DEFAULT_POINTS, this.zone) ?? '30d';
  }
}

/** One that is unknown is refused by its own rule. */
function zoneIn(query: { time_zone?: unknown }): string {
  return isTimeZone(query.time_zone) ? query.time_zone : UTC;
}

function IsNotWith(other: 'points' | 'interval'): PropertyDecorator {
  return rule(
    'isNotWith',
    (value, query) => Array.isArray(value) || !(query instanceof SeriesQuery) || query[other] === undefined,
    () => `cannot be combined with ${other}; send one of them`,
  );
}

/** Of 30 days, only a range of more than 160 years has too many. */
function HasFewBuckets(intervalOf: (query: SeriesQuery) => string | undefined): PropertyDecorator {
  const problemOf = (query: object): string | undefined =>
    query instanceof SeriesQuery ? tooManyBuckets(query, intervalOf(query)) : undefined;
  return rule(
    'hasFewBuckets',
    (value, query) => Array.isArray(value) || problemOf(query) === undefined,
    (_, { object }) => problemOf(object) ?? '',
  );
}

/** The message, if there are too many. Another rule reports a bound or an interval that cannot be understood. */
function tooManyBuckets(query: SeriesQuery, interval: string | undefined): string | undefined {
  if (!query.hasReadableBounds || !isInterval(interval)) return undefined;
  const range = query.rangeAt(Date.now());
  const count = countBuckets(range, interval, query.zone);
  if (count <= MAX_BUCKETS) return undefined;
  const finest = finestFor(range, MAX_BUCKETS, query.zone);
  const advice =
    finest === undefined ? 'choose a shorter range' : `the finest interval that fits is ${finest}`;
  return `needs ${count} buckets of ${interval} for this range, more than ${MAX_BUCKETS}; ${advice}`;
}

function isInterval(text: string | undefined): text is Interval {
  return INTERVALS.some((interval) => interval === text);
}
