// A sensor profile as it is sent: its fields and rules are those of SensorProfileResponse.
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiOptional } from '../../common/openapi/properties.js';
import { IsExactly, IsListOf, IsObjectOf, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { IsCreationTime, NOT_NULL, OwnFields } from '../../common/validation/own-fields.js';
import {
  BatteryPlaceResponse,
  LevelPlaceResponse,
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

/** `checkedAs`: where a part of it is enough. */
const Place = (description: string, shownAs: Type<object>, checkedAs = shownAs): PropertyDecorator =>
  ApiOptional(description, { type: shownAs, nullable: true }, IsObjectOf(checkedAs, ' or null'));

const Rules = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: [RejectRuleResponse],
      maxItems: MAX_RULES,
      required: false,
      description: 'What is not used.',
    }),
    IsListOf(RejectRuleResponse, { max: MAX_RULES }),
  );

export class SentSensorProfile extends IntersectionType(
  PickType(SensorProfileResponse, ['name'] as const),
  Own,
) {
  static readonly fields = Object.keys(new SensorProfileResponse());

  @ApiProperty({ type: LevelPlaceResponse, description: 'Where the level is: a percentage or a length.' })
  @IsObjectOf(LevelPlaceResponse)
  level: LevelPlaceResponse;

  @Place('Where the battery is.', BatteryPlaceResponse)
  battery?: BatteryPlaceResponse | null;

  @Place('Where the temperature is.', TemperaturePlaceResponse)
  temperature?: TemperaturePlaceResponse | null;

  @Rules()
  @MayBeLeftOut()
  reject_when?: RejectRuleResponse[];
}

export class LevelPlacePatch extends PartialType(LevelPlaceResponse, NOT_NULL) {
  static readonly fields = Object.keys(new LevelPlaceResponse());
}

export class PlacePatch extends PartialType(BatteryPlaceResponse, NOT_NULL) {
  static readonly fields = ['path'];
}

export class SensorProfilePatch extends PartialType(
  OmitType(SentSensorProfile, ['level', 'battery', 'temperature', 'reject_when'] as const),
  NOT_NULL,
) {
  static readonly fields = SentSensorProfile.fields;

  @ApiProperty({ type: LevelPlacePatch, required: false, description: 'What changes of where the level is.' })
  @MayBeLeftOut()
  @IsObjectOf(LevelPlacePatch)
  level?: LevelPlacePatch;

  @Place('Where the battery is.', BatteryPlaceResponse, PlacePatch)
  battery?: PlacePatch | null;

  @Place('Where the temperature is.', TemperaturePlaceResponse, PlacePatch)
  temperature?: PlacePatch | null;

  @Rules()
  @IsOptional()
  reject_when?: RejectRuleResponse[] | null;
}
