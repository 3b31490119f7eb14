// The parameters of the list of activity: the common ones, a type, an object, an operation and an actor.
import { ApiOptional } from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { IsFilled, IsOneOf } from '../../common/validation/parameter-rules.js';
import { ACTIVITY_TYPES, type ActivityType } from '../../common/writes/activity.js';

export class ActivityQuery extends ListQuery {
  @ApiOptional(
    'Only changes of objects of this type.',
    { enum: ACTIVITY_TYPES, enumName: 'ActivityType' },
    IsOneOf(ACTIVITY_TYPES),
  )
  type?: ActivityType;

  @ApiOptional(
    "Only changes of the object with this id; a sensor has its tank's, a key its prefix.",
    { minLength: 1 },
    IsFilled(),
  )
  object_id?: string;

  @ApiOptional('Only changes of this kind, such as `delete`.', { minLength: 1 }, IsFilled())
  operation?: string;

  @ApiOptional(
    'Only changes by the key with this prefix, the user with this id, or this command or link, such as `import`.',
    { minLength: 1 },
    IsFilled(),
  )
  actor?: string;
}
