// A sensor profile as it is sent: its fields and rules are those of SensorProfileResponse.
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsExactly, IsListOf, IsObjectOf, MayBeLeftOut } from '../../validation/fields.js';
import { IsCreationTime, OwnFields } from '../../validation/own-fields.js';
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

/** PartialType would let null pass for what may be left out. */
const NOT_NULL = { skipNullProperties: false };

export class SentSensorProfile extends IntersectionType(
  PickType(SensorProfileResponse, ['name'] as const),
  Own,
) {
  static readonly fields = Object.keys(new SensorProfileResponse());

  @ApiProperty({ type: LevelPlaceResponse, description: 'Where the level is: a percentage or a length.' })
  @IsObjectOf(LevelPlaceResponse)
  level: LevelPlaceResponse;

  @ApiProperty({
    type: BatteryPlaceResponse,
    nullable: true,
    required: false,
    description: 'Where the battery is.',
  })
  @IsOptional()
  @IsObjectOf(BatteryPlaceResponse, ' or null')
  battery?: BatteryPlaceResponse | null;

  @ApiProperty({
    type: TemperaturePlaceResponse,
    nullable: true,
    required: false,
    description: 'Where the temperature is.',
  })
  @IsOptional()
  @IsObjectOf(TemperaturePlaceResponse, ' or null')
  temperature?: TemperaturePlaceResponse | null;

  @ApiProperty({
    type: [RejectRuleResponse],
    maxItems: MAX_RULES,
    required: false,
    description: 'What is not used.',
  })
  @MayBeLeftOut()
  @IsListOf(RejectRuleResponse, { max: MAX_RULES })
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

  @ApiProperty({
    type: BatteryPlaceResponse,
    nullable: true,
    required: false,
    description: 'Where the battery is.',
  })
  @IsOptional()
  @IsObjectOf(PlacePatch, ' or null')
  battery?: PlacePatch | null;

  @ApiProperty({
    type: TemperaturePlaceResponse,
    nullable: true,
    required: false,
    description: 'Where the temperature is.',
  })
  @IsOptional()
  @IsObjectOf(PlacePatch, ' or null')
  temperature?: PlacePatch | null;

  @ApiProperty({
    type: [RejectRuleResponse],
    maxItems: MAX_RULES,
    required: false,
    description: 'What is not used.',
  })
  @IsOptional()
  @IsListOf(RejectRuleResponse, { max: MAX_RULES })
  reject_when?: RejectRuleResponse[] | null;
}
