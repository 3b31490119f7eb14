// The parameters every list takes, and what they mean: which page of which range.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { DAY_MS, parseDatetime, postgresBound } from '../../datetime/datetime.js';
import { IsDatetime, IsWholeNumber, repairPlus } from '../rules.js';

export const DEFAULT_SIZE = 10;
export const MAX_SIZE = 100;

export class ListQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    example: '2026-01-01T00:00:00.000Z',
    description:
      'Only objects created at or after this ISO datetime. A date alone means its first instant in UTC.',
  })
  @IsOptional()
  @IsDatetime()
  created_at_gte?: string;

  @ApiProperty({
    type: 'string',
    required: false,
    example: '2026-12-31',
    description:
      'Only objects created at or before this ISO datetime. A date alone means its last instant in UTC.',
  })
  @IsOptional()
  @IsDatetime()
  created_at_lte?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    minimum: 1,
    default: 1,
    example: 1,
    description: 'Which page to return.',
  })
  @IsOptional()
  @IsWholeNumber({ min: 1 })
  page?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    minimum: 1,
    maximum: MAX_SIZE,
    default: DEFAULT_SIZE,
    example: DEFAULT_SIZE,
    description: 'How many objects to return at most.',
  })
  @IsOptional()
  @IsWholeNumber({ min: 1, max: MAX_SIZE })
  size?: string;

  /** A page past every number JavaScript can hold exactly is still echoed to the digit. */
  get pageNumber(): number | bigint {
    const page = Number(this.page ?? 1);
    return Number.isSafeInteger(page) ? page : BigInt(this.page ?? 1);
  }

  get pageSize(): number {
    return Number(this.size ?? DEFAULT_SIZE);
  }

  /** How many rows come before the page. */
  get skip(): number {
    return Math.min((Number(this.page ?? 1) - 1) * this.pageSize, Number.MAX_SAFE_INTEGER);
  }

  /** The range is [since, until): objects have whole milliseconds, so finer bounds move to the next one that can match. */
  get since(): string {
    if (this.created_at_gte === undefined) return '-infinity';
    const { milliseconds, hasRemainder } = parsed(this.created_at_gte);
    return postgresBound(milliseconds + (hasRemainder ? 1 : 0));
  }

  get until(): string {
    if (this.created_at_lte === undefined) return 'infinity';
    const { milliseconds, isDate } = parsed(this.created_at_lte);
    return postgresBound(milliseconds + (isDate ? DAY_MS : 1));
  }
}

function parsed(datetime: string) {
  const result = parseDatetime(repairPlus(datetime));
  if (result === undefined) throw new Error('A datetime that was never validated.');
  return result;
}
