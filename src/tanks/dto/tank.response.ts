// A tank as the API shows it: the one description of its fields, with the rules that bodies and imported lines are checked by.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isoFrom } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiObjectName,
  NUMBER_OR_NULL,
  OptionalText,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { IsAmong, IsNumberIn, IsText } from '../../common/validation/field-rules.js';
import { IsLimitedText } from '../../common/validation/limited-text.js';
import { ID } from '../../common/validation/values.js';
import { CAPACITY_UNITS, USE_CASES, type CapacityUnit, type Tank, type UseCase } from '../tank.entity.js';

/** As in OpenAPI 3.1; Nest's types have the form of 3.0 only. */
export const ABOVE_ZERO: object = { exclusiveMinimum: 0 };

const Degrees = (description: string, example: number, max: 90 | 180): PropertyDecorator =>
  applyDecorators(
    ApiField(description, example, { ...NUMBER_OR_NULL, minimum: -max, maximum: max }),
    IsOptional(),
    IsNumberIn({ min: -max, max }),
  );

export class LocationResponse {
  @OptionalText('City.', 'Rotterdam')
  city: string | null;

  @OptionalText('Country.', 'Netherlands')
  country: string | null;

  @OptionalText('District.', 'Delfshaven')
  district: string | null;

  @Degrees('Latitude in degrees.', 51.9066, 90)
  latitude: number | null;

  @Degrees('Longitude in degrees.', 4.4517, 180)
  longitude: number | null;

  @OptionalText('Postal code.', '3024 EL')
  postal_code: string | null;

  @OptionalText('Region or state.', 'Zuid-Holland')
  region: string | null;

  @OptionalText('Street.', 'Havenstraat')
  street: string | null;

  @OptionalText('Street number.', '12A')
  street_number: string | null;
}

export const LocationField = ApiProperty({
  type: LocationResponse,
  description: 'Location of the tank; every key is there, null where unknown.',
});

export const UseCaseField = ApiField('What the tank is used for.', 'commercial', {
  type: 'string',
  enum: USE_CASES,
  enumName: 'UseCase',
  nullable: true,
});

export class TankResponse {
  @ApiField('Unique identifier of the tank.', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  id: string;

  @ApiObjectName('tank')
  object: 'tank';

  @ApiField('Identifier of the device assigned to the tank.', 'dev-00412')
  @IsText({ max: ID.max })
  assigned_device_id: string;

  @ApiField('Total capacity of the tank.', 2700, { type: 'number', ...ABOVE_ZERO })
  @IsNumberIn({ above: 0 })
  capacity: number;

  @ApiField('Unit of the capacity. A gallon is a US gallon (3.785411784 liters).', 'liters', {
    enum: CAPACITY_UNITS,
  })
  @IsAmong(CAPACITY_UNITS)
  capacity_unit: CapacityUnit;

  @ApiInstant('When the tank was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiField("Identifier for the customer's own internal use.", 'BOILER-2', TEXT_OR_NULL)
  @IsOptional()
  @IsLimitedText()
  custom_id: string | null;

  @LocationField
  location: LocationResponse = new LocationResponse();

  @ApiField(
    'Threshold: a newest reading at or below it makes the tank low, and an event `tank.low` is recorded, which webhooks deliver.',
    20,
    { type: 'integer', minimum: 0, maximum: 100 },
  )
  @IsNumberIn({ min: 0, max: 100, isWhole: true })
  min_fill_alert_percentage: number;

  @ApiField("The tank's name.", 'Boiler house')
  @IsLimitedText()
  name: string;

  @ApiField('Identifier of the owning customer.', '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77')
  @IsText()
  owner_id: string;

  @ApiInstant('When a data field of the tank was last changed.', '2026-09-02T11:00:00.000Z')
  updated_at: string;

  @UseCaseField
  @IsOptional()
  @IsAmong(USE_CASES)
  use_case: UseCase | null;
}

export class DeletedTankResponse extends PickType(TankResponse, ['id', 'object'] as const) {
  @ApiDeleted('tank')
  deleted: true;
}

export const TankListResponse = createListResponse(TankResponse, 'TankListResponse');

/** The columns of a tank, as the statements read them. */
export type TankRow = Omit<TankResponse, 'object' | 'location'> & LocationResponse & { deleted: boolean };

/** As a retrieval by id shows it. */
export function showTank(row: TankRow | Tank): TankResponse | DeletedTankResponse {
  return row.deleted ? { id: row.id, object: 'tank', deleted: true } : toTankResponse(row);
}

/** Of a row of a statement, or of the entity. */
export function toTankResponse(tank: TankRow | Tank): TankResponse {
  return {
    id: tank.id,
    object: 'tank',
    assigned_device_id: tank.assigned_device_id,
    capacity: tank.capacity,
    capacity_unit: tank.capacity_unit,
    created_at: isoFrom(tank.created_at),
    custom_id: tank.custom_id,
    location: toLocationResponse('location' in tank ? tank.location : tank),
    min_fill_alert_percentage: tank.min_fill_alert_percentage,
    name: tank.name,
    owner_id: tank.owner_id,
    updated_at: isoFrom(tank.updated_at),
    use_case: tank.use_case,
  };
}

export function toLocationResponse(row: LocationResponse): LocationResponse {
  return {
    city: row.city,
    country: row.country,
    district: row.district,
    latitude: row.latitude,
    longitude: row.longitude,
    postal_code: row.postal_code,
    region: row.region,
    street: row.street,
    street_number: row.street_number,
  };
}
