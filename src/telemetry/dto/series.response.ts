// A series as the API shows it: a tank's readings in buckets, and what no bucket may hide.
import { ApiProperty } from '@nestjs/swagger';
import { NUMBERS } from '../../rules.js';
import { UTC } from '../../common/datetime/time-zone.js';
import {
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  COUNT,
  FILL,
  TANK_ID,
} from '../../common/openapi/properties.js';
import { INTERVALS, type Interval } from '../series-range.js';

const FILL_OR_NULL = { ...FILL, nullable: true } as const;

export class SeriesBucketResponse {
  @ApiInstant('When the bucket starts.', '2026-10-31T18:00:00.000Z')
  start: string;

  @ApiField('How many readings of the range it holds.', 24, COUNT)
  count: number;

  @ApiField('Its oldest reading; null without any.', 71.2, FILL_OR_NULL)
  first: number | null;

  @ApiField('Its newest reading; null without any.', 70.4, FILL_OR_NULL)
  last: number | null;

  @ApiField('Its lowest reading; null without any.', 70.3, FILL_OR_NULL)
  min: number | null;

  @ApiField('Its highest reading; null without any.', 71.2, FILL_OR_NULL)
  max: number | null;

  @ApiField('Mean of its readings, to nine decimals; null without any.', 70.8, FILL_OR_NULL)
  mean: number | null;

  @ApiField(
    `Points used: of each pair of neighbouring readings whose later one it holds, what fell minus what rose, without rises of ${NUMBERS.REFILL_RISE} points or more, falls of more than ${NUMBERS.LARGEST_CREDIBLE_FALL} and pairs more than ${NUMBERS.USED_MOST_APART / 86_400} days apart, to two decimals; null when no pair counts.`,
    0.8,
    { type: 'number', nullable: true },
  )
  used: number | null;
}

export class SeriesGapResponse {
  @ApiInstant('Time of the last reading before it.', '2026-10-12T06:00:00.000Z')
  from: string;

  @ApiInstantOrNull('Time of the first reading after it; null while it lasts.', '2026-10-13T14:15:00.000Z')
  to: string | null;
}

export class SeriesRefillResponse {
  @ApiInstant('Time of the first reading after it.', '2026-10-20T09:30:00.000Z')
  at: string;

  @ApiField('The fill level before it.', 12.4, FILL)
  from: number;

  @ApiField('The fill level after it.', 84.9, FILL)
  to: number;
}

export class SeriesResponse {
  @ApiObjectName('series')
  object: 'series';

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiInstant('The start of the range.', '2026-10-01T12:00:00.000Z')
  created_at_gte: string;

  @ApiInstant('The end of the range.', '2026-10-31T12:00:00.000Z')
  created_at_lte: string;

  @ApiField('The time zone of days, weeks and months.', UTC)
  time_zone: string;

  @ApiField('How long a bucket is.', '6h', { enum: INTERVALS, enumName: 'SeriesInterval' })
  interval: Interval;

  @ApiField('Nominal length of a bucket in seconds; of a month that of 30 days.', 21_600, { type: 'integer' })
  interval_seconds: number;

  @ApiField('How many readings the range holds.', 2_880, COUNT)
  total_items: number;

  @ApiProperty({
    type: [SeriesBucketResponse],
    description:
      'Every bucket from the one that holds the start to the one that holds the end, oldest first.',
  })
  data: SeriesBucketResponse[];

  @ApiProperty({
    type: [SeriesGapResponse],
    description:
      'Times without a reading that are longer than the `silent_after_seconds` of the tank, whole even where they reach beyond the range: the newest 1,000, oldest first.',
  })
  gaps: SeriesGapResponse[];

  @ApiProperty({
    type: [SeriesRefillResponse],
    description: `Rises of ${NUMBERS.REFILL_RISE} points or more from one reading to the next: the newest 1,000, oldest first.`,
  })
  refills: SeriesRefillResponse[];

  @ApiField('How many gaps there are in all.', 1, COUNT)
  gaps_total: number;

  @ApiField('How many refills there are in all.', 1, COUNT)
  refills_total: number;
}

/** Of a bucket that holds readings: its number, count, first, last, min, max, mean and what was used. */
export type FilledBucket = [number, number, number, number, number, number, number, number | null];

/** Null stands for none. Gaps and refills come newest first, instants as milliseconds since 1970. */
export interface SeriesRow {
  total: number;
  data: FilledBucket[] | null;
  gaps: [from: number, to: number | null][] | null;
  gaps_total: number;
  refills: [at: number, from: number, to: number][] | null;
  refills_total: number;
}
