// The fleet in numbers, as the API shows it.
import { ApiProperty } from '@nestjs/swagger';
import { isoFromPostgres } from '../../datetime/datetime.js';

export class FleetResponse {
  @ApiProperty({ type: 'string', enum: ['fleet'], description: 'Always `fleet`.', example: 'fleet' })
  object: 'fleet';

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'When it was counted. The `ETag` leaves it out.',
    example: '2026-10-31T18:04:12.345Z',
  })
  as_of: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'All tanks.', example: 240 })
  tanks: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tanks with a reading.', example: 236 })
  reported: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tanks without any reading.', example: 4 })
  never_reported: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tanks that are low.', example: 12 })
  low: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tanks that have fallen silent.', example: 9 })
  silent: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tanks that are both.', example: 1 })
  low_and_silent: number;
}

export interface FleetRow {
  as_of: string;
  tanks: number;
  reported: number;
  low: number;
  silent: number;
  low_and_silent: number;
}

export function toFleetResponse(row: FleetRow): FleetResponse {
  return {
    object: 'fleet',
    as_of: isoFromPostgres(row.as_of),
    tanks: row.tanks,
    reported: row.reported,
    never_reported: row.tanks - row.reported,
    low: row.low,
    silent: row.silent,
    low_and_silent: row.low_and_silent,
  };
}
