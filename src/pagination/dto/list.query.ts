// The parameters of a list of things that were created: which page of which range.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { DAY_MS, parseDatetime, postgresBound } from '../../datetime/datetime.js';
import { IsDatetime, repairPlus } from '../rules.js';
import { PageQuery } from './page.query.js';

export class ListQuery extends PageQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    description:
      'Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC.',
  })
  @IsOptional()
  @IsDatetime()
  created_at_gte?: string;

  @ApiProperty({
    type: 'string',
    required: false,
    description:
      'Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC.',
  })
  @IsOptional()
  @IsDatetime()
  created_at_lte?: string;

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
