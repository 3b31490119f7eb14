// A series as the API shows it: a tank's readings in buckets of equal length, and what no bucket may hide.
import { ApiProperty } from '@nestjs/swagger';
import { ApiObjectName, COUNT, FILL, INSTANT, TANK_ID } from '../../openapi/properties.js';

const FILL_OR_NULL = { ...FILL, nullable: true } as const;

export class SeriesBucketResponse {
  @ApiProperty({ ...INSTANT, description: 'When the bucket starts.', example: '2026-10-31T18:00:00.000Z' })
  start: string;

  @ApiProperty({ ...COUNT, description: 'How many readings of the range it holds.', example: 24 })
  count: number;

  @ApiProperty({ ...FILL_OR_NULL, description: 'Its oldest reading; null without any.', example: 71.2 })
  first: number | null;

  @ApiProperty({ ...FILL_OR_NULL, description: 'Its newest reading; null without any.', example: 70.4 })
  last: number | null;

  @ApiProperty({ ...FILL_OR_NULL, description: 'Its lowest reading; null without any.', example: 70.3 })
  min: number | null;

  @ApiProperty({ ...FILL_OR_NULL, description: 'Its highest reading; null without any.', example: 71.2 })
  max: number | null;

  @ApiProperty({
    ...FILL_OR_NULL,
    description: 'Mean of its readings, to nine decimals; null without any.',
    example: 70.8,
  })
  mean: number | null;
}

export class SeriesGapResponse {
  @ApiProperty({
    ...INSTANT,
    description: 'Time of the last reading before it.',
    example: '2026-10-12T06:00:00.000Z',
  })
  from: string;

  @ApiProperty({
    ...INSTANT,
    nullable: true,
    description: 'Time of the first reading after it; null while it lasts.',
    example: '2026-10-13T14:15:00.000Z',
  })
  to: string | null;
}

export class SeriesRefillResponse {
  @ApiProperty({
    ...INSTANT,
    description: 'Time of the first reading after it.',
    example: '2026-10-20T09:30:00.000Z',
  })
  at: string;

  @ApiProperty({ ...FILL, description: 'The fill level before it.', example: 12.4 })
  from: number;

  @ApiProperty({ ...FILL, description: 'The fill level after it.', example: 84.9 })
  to: number;
}

export class SeriesResponse {
  @ApiObjectName('series')
  object: 'series';

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiProperty({ ...INSTANT, description: 'The start of the range.', example: '2026-10-01T12:00:00.000Z' })
  created_at_gte: string;

  @ApiProperty({ ...INSTANT, description: 'The end of the range.', example: '2026-10-31T12:00:00.000Z' })
  created_at_lte: string;

  @ApiProperty({ type: 'integer', description: 'Length of a bucket in seconds.', example: 21_600 })
  interval_seconds: number;

  @ApiProperty({ ...COUNT, description: 'How many readings the range holds.', example: 2_880 })
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
    description: 'Rises of 5 points or more from one reading to the next: the newest 1,000, oldest first.',
  })
  refills: SeriesRefillResponse[];

  @ApiProperty({ ...COUNT, description: 'How many gaps there are in all.', example: 1 })
  gaps_total: number;

  @ApiProperty({ ...COUNT, description: 'How many refills there are in all.', example: 1 })
  refills_total: number;
}

/** Of a bucket that holds readings: its number, count, first, last, min, max and mean. */
export type FilledBucket = [number, number, number, number, number, number, number];

/** Null stands for none. Gaps and refills come newest first, instants as milliseconds since 1970. */
export interface SeriesRow {
  total: number;
  data: FilledBucket[] | null;
  gaps: [from: number, to: number | null][] | null;
  gaps_total: number;
  refills: [at: number, from: number, to: number][] | null;
  refills_total: number;
}
