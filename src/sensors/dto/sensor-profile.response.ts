// A sensor profile as the API shows it, and as it is sent.
import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { isoFromPostgres } from '../../datetime/datetime.js';
import { ApiDeleted, ApiInstant, ApiObjectName } from '../../openapi/properties.js';
import { listResponseOf } from '../../pagination/dto/list.response.js';
import { UNITS, type Unit } from '../calibration.js';
import { profileFrom, type ProfileColumns } from '../sensor-lookup.js';

const ID = { description: 'Unique identifier of the profile.', example: 'em400-udl' };

const path = (example: string) => ({
  minLength: 1,
  maxLength: 200,
  description: 'Keys of the decoded payload, and places in arrays from 0, joined by dots.',
  example,
});

export class LevelPlaceResponse {
  @ApiProperty(path('distance'))
  path: string;

  @ApiProperty({
    enum: UNITS,
    enumName: 'LevelUnit',
    description: 'The unit of a value without one.',
    example: 'mm',
  })
  unit: Unit;
}

export class BatteryPlaceResponse {
  @ApiProperty(path('battery'))
  path: string;
}

export class TemperaturePlaceResponse {
  @ApiProperty(path('temperature'))
  path: string;
}

export class RejectRuleResponse {
  @ApiProperty(path('position'))
  path: string;

  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
    description: 'The value, its type included.',
    example: 'tilt',
  })
  equals: string | number | boolean;
}

export class SensorProfileResponse {
  @ApiProperty(ID)
  id: string;

  @ApiObjectName('sensor_profile')
  object: 'sensor_profile';

  @ApiProperty({
    minLength: 1,
    description: 'What kind of sensor it is for.',
    example: 'Milesight EM400-UDL',
  })
  name: string;

  @ApiInstant('When the profile was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstant('When it was last changed.', '2026-01-31T08:15:30.123Z')
  updated_at: string;

  @ApiProperty({ type: LevelPlaceResponse, description: 'Where the level is: a percentage or a length.' })
  level: LevelPlaceResponse = new LevelPlaceResponse();

  @ApiProperty({
    type: BatteryPlaceResponse,
    nullable: true,
    description: 'Where the battery is, in percent.',
    example: { path: 'battery' },
  })
  battery: BatteryPlaceResponse | null = new BatteryPlaceResponse();

  @ApiProperty({
    type: TemperaturePlaceResponse,
    nullable: true,
    description: 'Where the temperature is, in °C.',
    example: { path: 'temperature' },
  })
  temperature: TemperaturePlaceResponse | null = new TemperaturePlaceResponse();

  @ApiProperty({
    type: [RejectRuleResponse],
    maxItems: 20,
    description: 'Payloads that hold one of these values are not used.',
    example: [{ path: 'position', equals: 'tilt' }],
  })
  reject_when: RejectRuleResponse[];
}

export class DeletedSensorProfileResponse {
  @ApiProperty(ID)
  id: string;

  @ApiObjectName('sensor_profile')
  object: 'sensor_profile';

  @ApiDeleted('profile')
  deleted: true;
}

class OwnFields extends OmitType(SensorProfileResponse, [
  'battery',
  'created_at',
  'id',
  'object',
  'reject_when',
  'temperature',
  'updated_at',
]) {}

export class SentSensorProfile extends OwnFields {
  @ApiProperty({
    type: BatteryPlaceResponse,
    nullable: true,
    required: false,
    description: 'Where the battery is.',
  })
  battery?: BatteryPlaceResponse | null;

  @ApiProperty({
    type: TemperaturePlaceResponse,
    nullable: true,
    required: false,
    description: 'Where the temperature is.',
  })
  temperature?: TemperaturePlaceResponse | null;

  @ApiProperty({
    type: [RejectRuleResponse],
    maxItems: 20,
    required: false,
    description: 'What is not used.',
  })
  reject_when?: RejectRuleResponse[];
}

export class LevelPlacePatch extends PartialType(LevelPlaceResponse) {}

export class SensorProfilePatch extends PartialType(OmitType(SentSensorProfile, ['level'])) {
  @ApiProperty({ type: LevelPlacePatch, required: false, description: 'What changes of where the level is.' })
  level?: LevelPlacePatch;
}

export const SensorProfileListResponse = listResponseOf(SensorProfileResponse, 'SensorProfileListResponse');

export type SensorProfileRow = ProfileColumns &
  Pick<SensorProfileResponse, 'id' | 'name' | 'created_at' | 'updated_at'>;

export function toSensorProfileResponse(row: SensorProfileRow): SensorProfileResponse {
  const { level, battery, temperature, reject_when: rules } = profileFrom(row);
  return {
    id: row.id,
    object: 'sensor_profile',
    name: row.name,
    created_at: isoFromPostgres(row.created_at),
    updated_at: isoFromPostgres(row.updated_at),
    level,
    battery,
    temperature,
    reject_when: [...rules],
  };
}
