// The sensor of a tank as the API shows it.
import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath, PickType } from '@nestjs/swagger';
import { isoFrom } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiObjectName,
  FILL,
  NUMBER_OR_NULL,
  TANK_ID,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { shownAs } from '../../common/shown-as.js';
import { fieldRule, fullFault, IsAmong, IsNumberIn } from '../../common/validation/field-rules.js';
import { SHAPES, UNITS, type Calibration, type Shape, type Unit } from '../calibration.js';

const UNIT = {
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
  @ApiField('What the sensor measures when the tank is empty.', 1600)
  @IsNumberIn({})
  empty: number;

  @ApiField('What it measures when the tank is full.', 150)
  @fieldRule('isOtherThanEmpty', fullFault)
  full: number;

  @ApiProperty(UNIT)
  @IsAmong(UNITS)
  unit: Unit;

  @ApiProperty(SHAPE)
  shape: Shape;
}

export class TableResponse {
  @ApiField(
    'Points of a measured value and the percentage that it means.',
    [
      [1600, 0],
      [800, 55],
      [150, 100],
    ],
    {
      type: 'array',
      minItems: 2,
      maxItems: 200,
      items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number' } },
    },
  )
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

  @ApiField('The battery as it was last known.', 92, { ...FILL, nullable: true })
  battery_percent: number | null;

  @ApiField('The temperature.', 11.5, NUMBER_OR_NULL)
  temperature_celsius: number | null;

  @ApiField('How strong the signal was at the gateway that received it best.', -97, NUMBER_OR_NULL)
  rssi_dbm: number | null;

  @ApiField('Its signal-to-noise ratio there.', 6.5, NUMBER_OR_NULL)
  snr_db: number | null;

  @ApiField('That gateway.', '0016c001f153a14c', TEXT_OR_NULL)
  gateway_id: string | null;

  @ApiField('The counter of the uplink; null where the sender has none.', 17, {
    type: 'integer',
    nullable: true,
  })
  frame_counter: number | null;

  @ApiField('What was measured, in the unit of the profile.', 1100, NUMBER_OR_NULL)
  level: number | null;

  @ApiField('The fill of its reading; null if it became none.', 42.5, { ...FILL, nullable: true })
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

export class DeletedSensorResponse extends PickType(SensorResponse, ['object', 'tank_id'] as const) {
  @ApiDeleted('sensor')
  deleted: true;
}

export interface SensorRow
  extends
    Pick<SensorResponse, 'tank_id' | 'profile_id' | 'calibration'>,
    Omit<LastUplinkResponse, 'received_at' | 'frame_counter'> {
  readonly received_at: string | Date | null;
  /** A bigint is a text in an entity. */
  readonly frame_counter: number | string | null;
}

export function toSensorResponse(row: SensorRow): SensorResponse {
  return {
    object: 'sensor',
    tank_id: row.tank_id,
    profile_id: row.profile_id,
    calibration: inOrder(row.calibration),
    last_uplink: row.received_at === null ? null : lastUplink(row, isoFrom(row.received_at)),
  };
}

function lastUplink(row: SensorRow, received_at: string): LastUplinkResponse {
  const frame_counter = row.frame_counter === null ? null : Number(row.frame_counter);
  return shownAs(LastUplinkResponse, { ...row, received_at, frame_counter });
}

/** The database has an order of its own. */
function inOrder(calibration: Calibration | null): Calibration | null {
  if (calibration === null) return null;
  if ('table' in calibration) return { table: calibration.table, unit: calibration.unit };
  const { empty, full, unit, shape } = calibration;
  return { empty, full, unit, shape };
}
