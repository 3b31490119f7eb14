// What is known of a tank now, as the API shows it: the tank, its owner's name and its newest reading.
import { ApiProperty } from '@nestjs/swagger';
import { NUMBERS } from '../../rules.js';
import { isoOrNull } from '../../common/datetime/datetime.js';
import {
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  FILL,
  TANK_ID,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { ForecastResponse, toForecastResponse } from '../../forecasts/dto/forecast.response.js';
import type { ForecastRow } from '../../forecasts/dto/forecast.response.js';
import {
  ABOVE_ZERO,
  LocationField,
  LocationResponse,
  toLocationResponse,
  UseCaseField,
  type TankRow,
} from '../../tanks/dto/tank.response.js';
import { CAPACITY_UNITS, type CapacityUnit, type UseCase } from '../../tanks/tank.entity.js';
import { roundTo } from '../../common/rounding.js';

export class ConsumptionResponse {
  @ApiField('Percentage points used per day.', 1.85, { type: 'number' })
  percent_per_day: number;

  @ApiField('Days until the tank is empty.', 34.3, { type: 'number', minimum: 0 })
  days_left: number;

  @ApiField('Days until `min_fill_alert_percentage` is reached; 0 when the tank is low.', 23.5, {
    type: 'number',
    minimum: 0,
  })
  days_to_alert: number;

  @ApiInstant('The first reading used.', '2026-10-17T18:00:00.000Z')
  since: string;
}

export class TankStatusResponse {
  @ApiObjectName('tank_status')
  object: 'tank_status';

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiField("The tank's name.", 'Boiler house')
  name: string;

  @ApiField("The customer's own id for the tank.", 'BOILER-2', TEXT_OR_NULL)
  custom_id: string | null;

  @ApiField('Identifier of the device assigned to the tank.', 'dev-00412')
  assigned_device_id: string;

  @ApiField('Identifier of the owning customer.', '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77')
  owner_id: string;

  @UseCaseField
  use_case: UseCase | null;

  @ApiField('Total capacity of the tank.', 2700, { type: 'number', ...ABOVE_ZERO })
  capacity: number;

  @ApiField('Unit of capacity and volume.', 'liters', { enum: CAPACITY_UNITS })
  capacity_unit: CapacityUnit;

  @ApiField('Fill percentage at or below which the tank is low.', 20, { ...FILL, type: 'integer' })
  min_fill_alert_percentage: number;

  @LocationField
  location: LocationResponse = new LocationResponse();

  @ApiField("The owner's name; null when the owner is deleted.", 'Harbor Hotel', TEXT_OR_NULL)
  owner_name: string | null;

  @ApiInstantOrNull('When the newest reading was created; null without any.', '2026-10-31T18:00:00.000Z')
  reported_at: string | null;

  @ApiField('Fill level of the newest reading; null without any.', 63.4, { ...FILL, nullable: true })
  fill_percentage: number | null;

  @ApiField('Capacity × fill, in `capacity_unit`, to two decimals; null without a reading.', 1711.8, {
    type: 'number',
    nullable: true,
    minimum: 0,
  })
  volume: number | null;

  @ApiField('Whether there is a reading.', true)
  reported: boolean;

  @ApiField(
    'Whether the fill level is at or below `min_fill_alert_percentage`; false without a reading.',
    false,
  )
  low: boolean;

  @ApiField(
    'Whether more than `silent_after_seconds` have passed since the newest reading; false without one.',
    false,
  )
  silent: boolean;

  @ApiField(
    `The median gap between the newest ${NUMBERS.SILENT_AFTER_READINGS} readings, times ${NUMBERS.SILENT_AFTER_GAPS}, from an hour to seven days; a day with fewer than ${NUMBERS.SILENT_AFTER_LEAST_READINGS} readings.`,
    2700 * 4,
    { type: 'integer', minimum: NUMBERS.SILENT_AFTER_LEAST, maximum: NUMBERS.SILENT_AFTER_MOST },
  )
  silent_after_seconds: number;

  @ApiProperty({
    type: ForecastResponse,
    nullable: true,
    description:
      'When the tank reaches its alert, and when it is empty, if nobody delivers. Null without a reading, with less than 3 days between ' +
      'the first and the newest one, when the newest was older than 30 days, and until it is made.',
  })
  forecast: ForecastResponse | null = new ForecastResponse();
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

export const TankStatusListResponse = createListResponse(TankStatusResponse, 'TankStatusListResponse');

export interface TankStatusRow extends Omit<TankRow, 'created_at' | 'updated_at' | 'deleted'>, ForecastRow {
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
    reported_at: isoOrNull(reported_at),
    fill_percentage: fill,
    volume: fill === null ? null : roundTo(row.capacity * (fill / 100), 2),
    reported: reported_at !== null,
    low: row.low,
    silent: row.silent,
    silent_after_seconds: row.silent_after_seconds,
    forecast: toForecastResponse(row),
  };
}
