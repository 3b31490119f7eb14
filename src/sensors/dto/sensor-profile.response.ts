// A sensor profile as the API shows it: the one description of its fields, with the rules that bodies are checked by.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { isoFrom } from '../../common/datetime/datetime.js';
import { ApiDeleted, ApiField, ApiInstant, ApiObjectName } from '../../common/openapi/properties.js';
import { listResponseOf } from '../../common/pagination/dto/list.response.js';
import { quote } from '../../common/problems/quote.js';
import { fault, type Fault } from '../../common/validation/fault.js';
import { fieldRule, IsAmong, IsObjectOf, IsText } from '../../common/validation/field-rules.js';
import { numberFault, textFault } from '../../common/validation/values.js';
import { UNITS, type Unit } from '../calibration.js';
import { profileFrom, type ProfileColumns } from '../sensor-lookup.js';

export const MAX_RULES = 20;
const MAX_PATH = 200;

const Path = (example: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      minLength: 1,
      maxLength: MAX_PATH,
      description: 'Keys of the decoded payload, and places in arrays from 0, joined by dots.',
      example,
    }),
    fieldRule('isPath', pathFault),
  );

function pathFault(value: unknown): Fault | undefined {
  const found = textFault(value, { min: 1, max: MAX_PATH });
  if (found !== undefined || typeof value !== 'string' || !value.split('.').includes('')) return found;
  return fault('must be keys joined by dots, none of them empty', quote(value));
}

function equalsFault(value: unknown): Fault | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return numberFault(value);
  if (typeof value === 'string') return textFault(value);
  return fault('must be a string, a number or a boolean', quote(value));
}

export class LevelPlaceResponse {
  @Path('distance')
  path: string;

  @ApiField('The unit of a value without one.', 'mm', { enum: UNITS, enumName: 'LevelUnit' })
  @IsAmong(UNITS)
  unit: Unit;
}

export class BatteryPlaceResponse {
  @Path('battery')
  path: string;
}

export class TemperaturePlaceResponse {
  @Path('temperature')
  path: string;
}

export class RejectRuleResponse {
  @Path('position')
  path: string;

  @ApiField('The value, its type included.', 'tilt', {
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
  })
  @fieldRule('isEquals', equalsFault)
  equals: string | number | boolean;
}

export class SensorProfileResponse {
  @ApiField('Unique identifier of the profile.', 'em400-udl')
  id: string;

  @ApiObjectName('sensor_profile')
  object: 'sensor_profile';

  @ApiField('What kind of sensor it is for.', 'Milesight EM400-UDL', { minLength: 1 })
  @IsText({ min: 1 })
  name: string;

  @ApiInstant('When the profile was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstant('When it was last changed.', '2026-01-31T08:15:30.123Z')
  updated_at: string;

  @ApiProperty({ type: LevelPlaceResponse, description: 'Where the level is: a percentage or a length.' })
  @IsObjectOf(LevelPlaceResponse)
  level: LevelPlaceResponse = new LevelPlaceResponse();

  @ApiField(
    'Where the battery is, in percent.',
    { path: 'battery' },
    { type: BatteryPlaceResponse, nullable: true },
  )
  battery: BatteryPlaceResponse | null = new BatteryPlaceResponse();

  @ApiField(
    'Where the temperature is, in °C.',
    { path: 'temperature' },
    { type: TemperaturePlaceResponse, nullable: true },
  )
  temperature: TemperaturePlaceResponse | null = new TemperaturePlaceResponse();

  @ApiField('Payloads that hold one of these values are not used.', [{ path: 'position', equals: 'tilt' }], {
    type: [RejectRuleResponse],
    maxItems: MAX_RULES,
  })
  reject_when: RejectRuleResponse[];
}

export class DeletedSensorProfileResponse extends PickType(SensorProfileResponse, ['id', 'object'] as const) {
  @ApiDeleted('profile')
  deleted: true;
}

export const SensorProfileListResponse = listResponseOf(SensorProfileResponse, 'SensorProfileListResponse');

export type SensorProfileRow = ProfileColumns &
  Pick<SensorProfileResponse, 'id' | 'name'> & {
    readonly created_at: string | Date;
    readonly updated_at: string | Date;
  };

export function toSensorProfileResponse(row: SensorProfileRow): SensorProfileResponse {
  const { level, battery, temperature, reject_when: rules } = profileFrom(row);
  return {
    id: row.id,
    object: 'sensor_profile',
    name: row.name,
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    level,
    battery,
    temperature,
    reject_when: [...rules],
  };
}
