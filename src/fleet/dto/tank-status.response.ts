// What is known of a tank now, as the API shows it: the tank, its owner's name and its newest reading.
import { ApiProperty } from '@nestjs/swagger';
import { isoFromPostgres } from '../../datetime/datetime.js';
import { ApiObjectName, FILL, INSTANT, TANK_ID, TEXT_OR_NULL } from '../../openapi/properties.js';
import { listResponseOf } from '../../pagination/dto/list.response.js';
import {
  ABOVE_ZERO,
  LocationResponse,
  toLocationResponse,
  type TankRow,
} from '../../tanks/dto/tank.response.js';
import { CAPACITY_UNITS, USE_CASES, type CapacityUnit, type UseCase } from '../../tanks/tank.fields.js';
import { roundTo } from '../rounding.js';

export class ConsumptionResponse {
  @ApiProperty({ type: 'number', description: 'Percentage points used per day.', example: 1.85 })
  percent_per_day: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Days until the tank is empty.', example: 34.3 })
  days_left: number;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    description: 'Days until `min_fill_alert_percentage` is reached; 0 when the tank is low.',
    example: 23.5,
  })
  days_to_alert: number;

  @ApiProperty({ ...INSTANT, description: 'The first reading used.', example: '2026-10-17T18:00:00.000Z' })
  since: string;
}

export class TankStatusResponse {
  @ApiObjectName('tank_status')
  object: 'tank_status';

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiProperty({ description: "The tank's name.", example: 'Boiler house' })
  name: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: "The customer's own id for the tank.", example: 'BOILER-2' })
  custom_id: string | null;

  @ApiProperty({ description: 'Identifier of the device assigned to the tank.', example: 'dev-00412' })
  assigned_device_id: string;

  @ApiProperty({
    description: 'Identifier of the owning customer.',
    example: '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
  })
  owner_id: string;

  @ApiProperty({
    type: 'string',
    enum: USE_CASES,
    enumName: 'UseCase',
    nullable: true,
    description: 'What the tank is used for.',
    example: 'commercial',
  })
  use_case: UseCase | null;

  @ApiProperty({ type: 'number', ...ABOVE_ZERO, description: 'Total capacity of the tank.', example: 2700 })
  capacity: number;

  @ApiProperty({ enum: CAPACITY_UNITS, description: 'Unit of capacity and volume.', example: 'liters' })
  capacity_unit: CapacityUnit;

  @ApiProperty({
    ...FILL,
    type: 'integer',
    description: 'Fill percentage at or below which the tank is low.',
    example: 20,
  })
  min_fill_alert_percentage: number;

  @ApiProperty({
    type: LocationResponse,
    description: 'Location of the tank; every key is there, null where unknown.',
  })
  location: LocationResponse = new LocationResponse();

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: "The owner's name; null when the owner is deleted.",
    example: 'Harbor Hotel',
  })
  owner_name: string | null;

  @ApiProperty({
    ...INSTANT,
    nullable: true,
    description: 'When the newest reading was created; null without any.',
    example: '2026-10-31T18:00:00.000Z',
  })
  reported_at: string | null;

  @ApiProperty({
    ...FILL,
    nullable: true,
    description: 'Fill level of the newest reading; null without any.',
    example: 63.4,
  })
  fill_percentage: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    minimum: 0,
    description: 'Capacity × fill, in `capacity_unit`, to two decimals; null without a reading.',
    example: 1711.8,
  })
  volume: number | null;

  @ApiProperty({ description: 'Whether there is a reading.', example: true })
  reported: boolean;

  @ApiProperty({
    description:
      'Whether the fill level is at or below `min_fill_alert_percentage`; false without a reading.',
    example: false,
  })
  low: boolean;

  @ApiProperty({
    description:
      'Whether more than `silent_after_seconds` have passed since the newest reading; false without one.',
    example: false,
  })
  silent: boolean;

  @ApiProperty({
    type: 'integer',
    minimum: 3_600,
    maximum: 604_800,
    description:
      'Three times the median gap between the newest ten readings, from an hour to seven days; a day with fewer than ' +
      'three readings.',
    example: 2700 * 4,
  })
  silent_after_seconds: number;
}

export class TankStatusWithConsumptionResponse extends TankStatusResponse {
  @ApiProperty({
    type: ConsumptionResponse,
    nullable: true,
    description:
      'How fast the tank is being emptied, from the readings of the 14 days before the newest one. Null when they ' +
      'cover less than 3 days, when less than 1 point was used, or when the tank is silent.',
  })
  consumption: ConsumptionResponse | null;
}

export const TankStatusListResponse = listResponseOf(TankStatusResponse, 'TankStatusListResponse');

export interface TankStatusRow extends Omit<TankRow, 'created_at' | 'updated_at' | 'deleted'> {
  owner_name: string | null;
  reported_at: string | null;
  fill_percentage: number | null;
  low: boolean;
  silent: boolean;
  silent_after_seconds: number;
}

export function toTankStatusResponse(row: TankStatusRow): TankStatusResponse {
  const { fill_percentage: fill, reported_at } = row;
  return {
    object: 'tank_status',
    tank_id: row.id,
    name: row.name,
    custom_id: row.custom_id,
    assigned_device_id: row.assigned_device_id,
    owner_id: row.owner_id,
    use_case: row.use_case,
    capacity: row.capacity,
    capacity_unit: row.capacity_unit,
    min_fill_alert_percentage: row.min_fill_alert_percentage,
    location: toLocationResponse(row),
    owner_name: row.owner_name,
    reported_at: reported_at === null ? null : isoFromPostgres(reported_at),
    fill_percentage: fill,
    volume: fill === null ? null : roundTo(row.capacity * (fill / 100), 2),
    reported: reported_at !== null,
    low: row.low,
    silent: row.silent,
    silent_after_seconds: row.silent_after_seconds,
  };
}
