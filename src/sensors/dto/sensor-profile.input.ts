// A sensor profile as it is sent: its fields and rules are those of SensorProfileResponse.
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ApiOptional } from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { IsExactly, IsObjectOf, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { limitTexts } from '../../common/validation/limited-text.js';
import { IsCreationTime, NOT_NULL, ReadOnlyFields } from '../../common/validation/read-only-fields.js';
import { IsFilled } from '../../common/validation/parameter-rules.js';
import { HistoryPlaceResponse, SensorProfileResponse } from './sensor-profile.response.js';

class Own extends OmitType(ReadOnlyFields, ['deleted'] as const) {
  @MayBeLeftOut()
  @IsExactly('sensor_profile')
  object?: 'sensor_profile';

  @IsCreationTime()
  created_at?: Date;
}

const HISTORY = 'Where earlier measurements are: an array, and in each entry its time and its level.';

export class SentSensorProfile extends IntersectionType(
  PickType(SensorProfileResponse, ['name', 'level'] as const),
  PartialType(PickType(SensorProfileResponse, ['battery', 'temperature'] as const)),
  PartialType(PickType(SensorProfileResponse, ['reject_when', 'ignore_when'] as const), NOT_NULL),
  Own,
) {
  static readonly fields = Object.keys(new SensorProfileResponse());

  @ApiOptional(
    HISTORY,
    { type: HistoryPlaceResponse, nullable: true },
    IsObjectOf(HistoryPlaceResponse, ' or null'),
  )
  history?: HistoryPlaceResponse | null;

  /** What is left out is no place, where an answer has one from the start for its columns. */
  constructor() {
    super();
    for (const name of Object.keys(this)) Reflect.deleteProperty(this, name);
  }
}
limitTexts(SentSensorProfile, 'name');

export class SensorProfilesQuery extends ListQuery {
  @ApiOptional(
    'Only the profile of the sensor of this tank; none if the tank has no sensor.',
    { minLength: 1 },
    IsFilled(),
  )
  tank_id?: string;
}

/** As the document shows it; what a patch makes of the profile is checked as a whole. */
export class SensorProfilePatch extends PartialType(SentSensorProfile) {}
