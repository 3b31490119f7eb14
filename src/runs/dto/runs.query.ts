// The parameters of the list of runs.
import { ApiOptional } from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { IsFilled, IsOneOf, rule } from '../../common/validation/parameter-rules.js';
import { isDay } from './run.input.js';
import { DAY, RUN_STATUSES, type RunStatus } from './run.response.js';

const Day = (description: string): PropertyDecorator =>
  ApiOptional(
    description,
    { pattern: DAY.pattern },
    rule('isDay', isDay, (shown) => `must be a date such as 2026-01-31, not ${shown}`),
  );

export class RunsQuery extends ListQuery {
  @Day('Only runs of this day or later.')
  date_gte?: string;

  @Day('Only runs of this day or earlier.')
  date_lte?: string;

  @ApiOptional(
    'Only runs with this status.',
    { enum: RUN_STATUSES, enumName: 'RunStatus' },
    IsOneOf(RUN_STATUSES),
  )
  status?: RunStatus;

  @ApiOptional('Only runs with a stop at this tank.', { minLength: 1 }, IsFilled())
  tank_id?: string;
}
