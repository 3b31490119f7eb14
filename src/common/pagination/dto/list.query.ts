// The parameters of a list of things that were created: which page of which range.
import { postgresBound } from '../../datetime/datetime.js';
import { ApiOptional } from '../../openapi/properties.js';
import { IsDatetime } from '../../validation/parameter-rules.js';
import { PageQuery } from './page.query.js';

export const RANGE = {
  gte: 'Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC.',
  lte: 'Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC.',
};

export const sinceOf = (gte: Date | undefined): string =>
  gte === undefined ? '-infinity' : postgresBound(gte.getTime());

/** Not included any more. */
export const untilOf = (lte: Date | undefined): string =>
  lte === undefined ? 'infinity' : postgresBound(lte.getTime() + 1);

export class ListQuery extends PageQuery {
  @ApiOptional(RANGE.gte, {}, IsDatetime('first'))
  created_at_gte?: Date;

  @ApiOptional(RANGE.lte, {}, IsDatetime('last'))
  created_at_lte?: Date;

  /** The range is [since, until). */
  get since(): string {
    return sinceOf(this.created_at_gte);
  }

  get until(): string {
    return untilOf(this.created_at_lte);
  }

  /** What the parameters of a list's statement begin with. */
  get place(): readonly [since: string, until: string, skip: number, size: number] {
    return [this.since, this.until, this.skip, this.size];
  }
}
