// How many tanks there are, and in which state, as the API shows it.
import { ApiProperty } from '@nestjs/swagger';
import { isoFromPostgres } from '../../datetime/datetime.js';
import { ApiObjectName, COUNT, INSTANT } from '../../openapi/properties.js';

export class FleetResponse {
  @ApiObjectName('fleet')
  object: 'fleet';

  @ApiProperty({
    ...INSTANT,
    description: 'When the tanks were counted. The `ETag` does not depend on it.',
    example: '2026-10-31T18:04:12.345Z',
  })
  as_of: string;

  @ApiProperty({ ...COUNT, description: 'All tanks.', example: 240 })
  tanks: number;

  @ApiProperty({ ...COUNT, description: 'Tanks with a reading.', example: 236 })
  reported: number;

  @ApiProperty({ ...COUNT, description: 'Tanks without any reading.', example: 4 })
  never_reported: number;

  @ApiProperty({ ...COUNT, description: 'Tanks that are low.', example: 12 })
  low: number;

  @ApiProperty({ ...COUNT, description: 'Tanks that have fallen silent.', example: 9 })
  silent: number;

  @ApiProperty({ ...COUNT, description: 'Tanks that are low and silent.', example: 1 })
  low_and_silent: number;
}

export type FleetRow = Omit<FleetResponse, 'object' | 'never_reported'>;

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
