// A reading as the API shows it. It carries no identifier: the tank and the instant are its identity.
import { ApiProperty } from '@nestjs/swagger';
import { isoFromPostgres } from '../../datetime/datetime.js';
import { listResponseOf } from '../../pagination/dto/list.response.js';

export class TelemetryResponse {
  @ApiProperty({
    type: 'string',
    enum: ['telemetry'],
    description: 'Always `telemetry`.',
    example: 'telemetry',
  })
  object: 'telemetry';

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'When the reading was created.',
    example: '2026-10-31T18:00:00.000Z',
  })
  created_at: string;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: 'Fill level of the tank as a percentage.',
    example: 63.4,
  })
  fill_percentage: number;
}

/** A reading as a row of a file, away from the address that says whose it is: so it can be imported as it is. */
export class TelemetryRowResponse {
  @ApiProperty({
    type: 'string',
    enum: ['telemetry'],
    description: 'Always `telemetry`.',
    example: 'telemetry',
  })
  object: 'telemetry';

  @ApiProperty({
    description: 'Identifier of the tank.',
    example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
  })
  tank_id: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'When the reading was created.',
    example: '2026-10-31T18:00:00.000Z',
  })
  created_at: string;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: 'Fill level of the tank as a percentage.',
    example: 63.4,
  })
  fill_percentage: number;
}

export const TelemetryListResponse = listResponseOf(TelemetryResponse, 'TelemetryListResponse');

export interface TelemetryRow {
  created_at: string;
  fill_percentage: number;
}

export function toTelemetryResponse(row: TelemetryRow): TelemetryResponse {
  return {
    object: 'telemetry',
    created_at: isoFromPostgres(row.created_at),
    fill_percentage: row.fill_percentage,
  };
}

export function toTelemetryRowResponse(tankId: string, row: TelemetryRow): TelemetryRowResponse {
  return {
    object: 'telemetry',
    tank_id: tankId,
    created_at: isoFromPostgres(row.created_at),
    fill_percentage: row.fill_percentage,
  };
}
