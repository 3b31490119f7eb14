// The parameters of the events list: the common ones, a type, a tank and an owner.
import { ApiOptional } from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { IsFilled, IsOneOf } from '../../common/validation/parameter-rules.js';
import { EVENT_TYPES, type EventType } from '../../rules.js';

export class EventsQuery extends ListQuery {
  @ApiOptional(
    'Only events of this type.',
    { enum: EVENT_TYPES, enumName: 'EventType' },
    IsOneOf(EVENT_TYPES),
  )
  type?: EventType;

  @ApiOptional('Only events of this tank.', { minLength: 1 }, IsFilled())
  tank_id?: string;

  @ApiOptional("Only events of tanks that were this customer's at that time.", { minLength: 1 }, IsFilled())
  owner_id?: string;
}
