// Which readings of a tank are removed, and how many were.
import { ApiField, ApiObjectName, ApiRequired, COUNT } from '../../common/openapi/properties.js';
import { RANGE, sinceOf, untilOf } from '../../common/pagination/dto/list.query.js';
import { IsDatetime } from '../../common/validation/parameter-rules.js';

export class DeletionResponse {
  @ApiObjectName('deletion')
  object: 'deletion';

  @ApiField('How many readings were removed.', 12, COUNT)
  deleted: number;
}

/** Both ends are required, so that nobody removes all by a forgotten parameter. */
export class DeletionQuery {
  @ApiRequired(RANGE.gte, { example: '2026-01-31T08:00:00Z' }, IsDatetime('first'))
  created_at_gte: Date;

  @ApiRequired(RANGE.lte, { example: '2026-01-31T09:00:00Z' }, IsDatetime('last'))
  created_at_lte: Date;

  get since(): string {
    return sinceOf(this.created_at_gte);
  }

  get until(): string {
    return untilOf(this.created_at_lte);
  }
}
