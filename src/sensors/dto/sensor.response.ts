// The sensor of a tank as the API shows it.
import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { isoFrom } from '../../datetime/datetime.js';
import {
  ApiDeleted,
  ApiInstant,
  ApiNullable,
  ApiObjectName,
  FILL,
  TANK_ID,
} from '../../openapi/properties.js';
import { SHAPES, UNITS, type Calibration, type Shape, type Unit } from '../calibration.js';

export const UNIT = {
  enum: UNITS,
  enumName: 'LevelUnit',
  description: 'The unit of the values.',
  example: 'mm',
};
export const SHAPE = {
  enum: SHAPES,
  enumName: 'TankShape',
  description: 'How the volume follows the height.',
  example: 'horizontal_cylinder',
};

export class TwoPointsResponse {
  @ApiProperty({ description: 'What the sensor measures when the tank is empty.', example: 1600 })
  empty: number;

  @ApiProperty({ description: 'What it measures when the tank is full.', example: 150 })
  full: number;

  @ApiProperty(UNIT)
  unit: Unit;

  @ApiProperty(SHAPE)
  shape: Shape;
}

export class TableResponse {
  @ApiProperty({
    type: 'array',
    minItems: 2,
    maxItems: 200,
    items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number' } },
    description: 'Points of a measured value and the percentage that it means.',
    example: [
      [1600, 0],
      [800, 55],
      [150, 100],
    ],
  })
  table: (readonly [number, number])[];

  @ApiProperty(UNIT)
  unit: Unit;
}

/** Two points, a table, or null. */
export const calibrationBy = (twoPoints: Type) => ({
  anyOf: [{ $ref: getSchemaPath(twoPoints) }, { $ref: getSchemaPath(TableResponse) }, { type: 'null' }],
  description: 'How a measured value becomes a percentage; null when values are percentages.',
  example: { empty: 1600, full: 150, unit: 'mm', shape: 'horizontal_cylinder' },
});

export const PROFILE_ID = { description: 'The profile of this kind of sensor.', example: 'em400-udl' };

export class LastUplinkResponse {
  @ApiInstant('The time of the uplink.', '2026-10-31T18:00:00.000Z')
  received_at: string;

  @ApiProperty({ ...FILL, nullable: true, description: 'The battery as it was last known.', example: 92 })
  battery_percent: number | null;

  @ApiNullable('number', 'The temperature.', 11.5)
  temperature_celsius: number | null;

  @ApiNullable('number', 'How strong the signal was at the gateway that received it best.', -97)
  rssi_dbm: number | null;

  @ApiNullable('number', 'Its signal-to-noise ratio there.', 6.5)
  snr_db: number | null;

  @ApiNullable('string', 'That gateway.', '0016c001f153a14c')
  gateway_id: string | null;

  @ApiProperty({ type: 'integer', description: 'The counter of the uplink.', example: 17 })
  frame_counter: number;

  @ApiNullable('number', 'What was measured, in the unit of the profile.', 1100)
  level: number | null;

  @ApiProperty({
    ...FILL,
    nullable: true,
    description: 'The fill of its reading; null if it became none.',
    example: 42.5,
  })
  fill_percentage: number | null;
}

export class SensorResponse {
  @ApiObjectName('sensor')
  object: 'sensor';

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiProperty(PROFILE_ID)
  profile_id: string;

  @ApiProperty(calibrationBy(TwoPointsResponse))
  calibration: Calibration | null;

  @ApiProperty({
    type: LastUplinkResponse,
    nullable: true,
    description: 'What the newest uplink said, whatever became of it; null while there was none.',
  })
  last_uplink: LastUplinkResponse | null;
}

export class DeletedSensorResponse {
  @ApiObjectName('sensor')
  object: 'sensor';

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiDeleted('sensor')
  deleted: true;
}

export interface SensorRow {
  readonly tank_id: string;
  readonly profile_id: string;
  readonly calibration: Calibration | null;
  readonly received_at: string | Date | null;
  readonly battery_percent: number | null;
  readonly temperature_celsius: number | null;
  readonly rssi_dbm: number | null;
  readonly snr_db: number | null;
  readonly gateway_id: string | null;
  /** A bigint is a text in an entity. */
  readonly frame_counter: number | string | null;
  readonly level: number | null;
  readonly fill_percentage: number | null;
}

export function toSensorResponse(row: SensorRow): SensorResponse {
  return {
    object: 'sensor',
    tank_id: row.tank_id,
    profile_id: row.profile_id,
    calibration: inOrder(row.calibration),
    last_uplink: row.received_at === null ? null : lastUplink(row, row.received_at),
  };
}

function lastUplink(row: SensorRow, receivedAt: string | Date): LastUplinkResponse {
  return {
    received_at: isoFrom(receivedAt),
    battery_percent: row.battery_percent,
    temperature_celsius: row.temperature_celsius,
    rssi_dbm: row.rssi_dbm,
    snr_db: row.snr_db,
    gateway_id: row.gateway_id,
    frame_counter: Number(row.frame_counter ?? 0),
    level: row.level,
    fill_percentage: row.fill_percentage,
  };
}

/** The database has an order of its own. */
function inOrder(calibration: Calibration | null): Calibration | null {
  if (calibration === null) return null;
  if ('table' in calibration) return { table: calibration.table, unit: calibration.unit };
  const { empty, full, unit, shape } = calibration;
  return { empty, full, unit, shape };
}
