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

/** `checkedAs`: where a part of it is enough. */
const Place = (description: string, shownAs: Type<object>, checkedAs = shownAs): PropertyDecorator =>
  ApiOptional(description, { type: shownAs, nullable: true }, IsObjectOf(checkedAs, ' or null'));

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

/** Null takes a number away; `needed` are those that stay. */
function patchOf<Place extends object, Needed extends keyof Place>(
  place: Type<Place>,
  needed: readonly Needed[],
) {
  return IntersectionType(
    PartialType(PickType(place, needed), NOT_NULL),
    PartialType(OmitType(place, needed)),
  );
}

export class LevelPlacePatch extends patchOf(LevelPlaceResponse, ['path', 'unit'] as const) {
  static readonly fields = Object.keys(new LevelPlaceResponse());
}

class BatteryPlacePatch extends patchOf(BatteryPlaceResponse, ['path'] as const) {
  static readonly fields = Object.keys(new BatteryPlaceResponse());
}

class TemperaturePlacePatch extends patchOf(TemperaturePlaceResponse, ['path'] as const) {
  static readonly fields = Object.keys(new TemperaturePlaceResponse());
}

class HistoryPlacePatch extends PartialType(HistoryPlaceResponse, NOT_NULL) {
  static readonly fields = Object.keys(new HistoryPlaceResponse());
}

export class SensorProfilePatch extends PartialType(
  OmitType(SentSensorProfile, [
    'level',
    'battery',
    'temperature',
    'reject_when',
    'ignore_when',
    'history',
  ] as const),
  NOT_NULL,
) {
  static readonly fields = SentSensorProfile.fields;

  @ApiProperty({ type: LevelPlacePatch, required: false, description: 'What changes of where the level is.' })
  @MayBeLeftOut()
  @IsObjectOf(LevelPlacePatch)
  level?: LevelPlacePatch;

  @Place('Where the battery is.', BatteryPlaceResponse, BatteryPlacePatch)
  battery?: BatteryPlacePatch | null;

  @Place('Where the temperature is.', TemperaturePlaceResponse, TemperaturePlacePatch)
  temperature?: TemperaturePlacePatch | null;

  @Rules(REJECTED)
  @IsOptional()
  reject_when?: RejectRuleResponse[] | null;

  @Rules(IGNORED)
  @IsOptional()
  ignore_when?: RejectRuleResponse[] | null;

  @Place(HISTORY, HistoryPlaceResponse, HistoryPlacePatch)
  history?: HistoryPlacePatch | null;
}
