// A series as the API shows it: a tank's readings in buckets of equal length, and what no bucket may hide.
import { ApiProperty } from '@nestjs/swagger';

const INSTANT = { type: 'string', format: 'date-time' } as const;
const FILL = { type: 'number', minimum: 0, maximum: 100 } as const;
const FILL_OR_NULL = { ...FILL, nullable: true } as const;

export class SeriesBucketResponse {
  @ApiProperty({ ...INSTANT, description: 'When the bucket starts.', example: '2026-10-31T18:00:00.000Z' })
  start: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many readings of the range it holds.',
    example: 24,
  })
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
    description: 'The mean of its readings, to nine decimals; null without any.',
    example: 70.8,
  })
  mean: number | null;
}

export class SeriesGapResponse {
  @ApiProperty({
    ...INSTANT,
    description: 'The last reading before the silence.',
    example: '2026-10-12T06:00:00.000Z',
  })
  from: string;

  @ApiProperty({
    ...INSTANT,
    nullable: true,
    description: 'The first reading after it; null while it lasts.',
    example: '2026-10-13T14:15:00.000Z',
  })
  to: string | null;
}

export class SeriesRefillResponse {
  @ApiProperty({
    ...INSTANT,
    description: 'The first reading after the refill.',
    example: '2026-10-20T09:30:00.000Z',
  })
  at: string;

  @ApiProperty({ ...FILL, description: 'The reading before.', example: 12.4 })
  from: number;

  @ApiProperty({ ...FILL, description: 'The reading after.', example: 84.9 })
  to: number;
}

export class SeriesResponse {
  @ApiProperty({ type: 'string', enum: ['series'], description: 'Always `series`.', example: 'series' })
  object: 'series';

  @ApiProperty({ description: 'Identifier of the tank.', example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e' })
  tank_id: string;

  @ApiProperty({ ...INSTANT, description: 'The start of the range.', example: '2026-10-01T12:00:00.000Z' })
  created_at_gte: string;

  @ApiProperty({ ...INSTANT, description: 'The end of the range.', example: '2026-10-31T12:00:00.000Z' })
  created_at_lte: string;

  @ApiProperty({ type: 'integer', description: 'How long a bucket is.', example: 21_600 })
  interval_seconds: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many readings the range holds.',
    example: 2_880,
  })
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
      'Times without a reading for longer than the tank is silent after, whole even where they reach beyond the range: the newest 1,000, oldest first.',
  })
  gaps: SeriesGapResponse[];

  @ApiProperty({
    type: [SeriesRefillResponse],
    description: 'Rises of 5 points or more from one reading to the next: the newest 1,000, oldest first.',
  })
  refills: SeriesRefillResponse[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many gaps there are in all.', example: 1 })
  gaps_total: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many refills there are in all.', example: 1 })
  refills_total: number;
}

/** Of a bucket that holds readings: its number, then what the response tells of it. Instants are milliseconds since 1970. */
export type FilledBucket = [
  number: number,
  count: number,
  ...fills: [number, number, number, number, number],
];

/** What the statement tells; null stands for none. Gaps and refills come newest first. */
export interface SeriesRow {
  total: number;
  data: FilledBucket[] | null;
  gaps: [from: number, to: number | null][] | null;
  gaps_total: number;
  refills: [at: number, from: number, to: number][] | null;
  refills_total: number;
}
