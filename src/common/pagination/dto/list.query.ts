// The parameters of a list of things that were created: which page of which range.
import { postgresBound } from '../../datetime/datetime.js';
import { ApiOptional } from '../../openapi/properties.js';
import { IsDatetime } from '../../validation/parameter-rules.js';
import { PageQuery } from './page.query.js';

export class ListQuery extends PageQuery {
  @ApiOptional(
    'Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC.',
    {},
    IsDatetime('first'),
  )
  created_at_gte?: Date;

  @ApiOptional(
    'Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC.',
    {},
    IsDatetime('last'),
  )
  created_at_lte?: Date;

  /** The range is [since, until). */
  get since(): string {
    return this.created_at_gte === undefined ? '-infinity' : postgresBound(this.created_at_gte.getTime());
  }

  get until(): string {
    return this.created_at_lte === undefined ? 'infinity' : postgresBound(this.created_at_lte.getTime() + 1);
  }
}
