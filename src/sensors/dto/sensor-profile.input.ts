// A sensor profile as it is sent: its fields and rules are those of SensorProfileResponse.
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ApiOptional } from '../../common/openapi/properties.js';
import { IsExactly, IsListOf, IsObjectOf, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { IsCreationTime, OwnFields } from '../../common/validation/own-fields.js';
import {
  BatteryPlaceResponse,
  LevelPlaceResponse,
  HistoryPlaceResponse,
  MAX_RULES,
  RejectRuleResponse,
  SensorProfileResponse,
  TemperaturePlaceResponse,
} from './sensor-profile.response.js';

class Own extends OmitType(OwnFields, ['deleted'] as const) {
  @MayBeLeftOut()
  @IsExactly('sensor_profile')
  object?: 'sensor_profile';

  @IsCreationTime()
  created_at?: Date;
}

const Place = (description: string, type: Type<object>): PropertyDecorator =>
  ApiOptional(description, { type, nullable: true }, IsObjectOf(type, ' or null'));

const Rules = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [RejectRuleResponse], maxItems: MAX_RULES, required: false, description }),
    IsListOf(RejectRuleResponse, { max: MAX_RULES }),
  );
const REJECTED = 'What is not used, and kept in quarantine. Each rule has one condition.';
const IGNORED = 'What is no measurement, looked at first: it is neither used nor kept.';
const HISTORY = 'Where earlier measurements are: an array, and in each entry its time and its level.';

export class SentSensorProfile extends IntersectionType(
  PickType(SensorProfileResponse, ['name'] as const),
  Own,
) {
  static readonly fields = Object.keys(new SensorProfileResponse());

  @ApiProperty({
    type: LevelPlaceResponse,
    description: 'Where the level is: a percentage, a length, or any number.',
  })
  @IsObjectOf(LevelPlaceResponse)
  level: LevelPlaceResponse;

  @Place('Where the battery is.', BatteryPlaceResponse)
  battery?: BatteryPlaceResponse | null;

  @Place('Where the temperature is.', TemperaturePlaceResponse)
  temperature?: TemperaturePlaceResponse | null;

  @Rules(REJECTED)
  @MayBeLeftOut()
  reject_when?: RejectRuleResponse[];

  @Rules(IGNORED)
  @MayBeLeftOut()
  ignore_when?: RejectRuleResponse[];

  @Place(HISTORY, HistoryPlaceResponse)
  history?: HistoryPlaceResponse | null;
}

export class LevelPlacePatch extends PartialType(LevelPlaceResponse) {}

/** As the document shows it; what a patch makes of the profile is checked as a whole. */
export class SensorProfilePatch extends PartialType(OmitType(SentSensorProfile, ['level'] as const)) {
  @ApiProperty({ type: LevelPlacePatch, required: false, description: 'What changes of where the level is.' })
  level?: LevelPlacePatch;
}
