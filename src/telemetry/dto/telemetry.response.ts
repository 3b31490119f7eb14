// A reading as the API shows it. It carries no identifier: the tank and the instant are its identity.
import { ApiProperty } from '@nestjs/swagger';
import { isoFromPostgres } from '../../common/datetime/datetime.js';
import {
  ApiField,
  ApiInstant,
  ApiObjectName,
  FILL,
  TANK_ID,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';

const CreatedAt = ApiInstant('When the reading was created.', '2026-10-31T18:00:00.000Z');
const FillPercentage = ApiField('Fill level of the tank as a percentage.', 63.4, FILL);

export class TelemetryResponse {
  @ApiObjectName('telemetry')
  object: 'telemetry';

  @CreatedAt
  created_at: string;

  @FillPercentage
  fill_percentage: number;
}

/** As a row of a file, away from the address that names its tank: so it can be imported as it is. */
export class TelemetryRowResponse {
  @ApiObjectName('telemetry')
  object: 'telemetry';

  @ApiProperty(TANK_ID)
  tank_id: string;

  @CreatedAt
  created_at: string;

  @FillPercentage
  fill_percentage: number;
}

export class ReadingsResponse {
  @ApiObjectName('readings')
  object: 'readings';

  @ApiProperty({ type: [TelemetryRowResponse], description: 'The next readings, up to `size`.' })
  data: TelemetryRowResponse[];

  @ApiField('Where to go on: send it as `after`. Null on the last page.', '2s-1p3f0a7r20-0k3d', TEXT_OR_NULL)
  next: string | null;
}

export const TelemetryListResponse = createListResponse(TelemetryResponse, 'TelemetryListResponse');

export interface TelemetryRow {
  created_at: string;
  fill_percentage: number;
}

export function toTelemetryResponse({ created_at, fill_percentage }: TelemetryRow): TelemetryResponse {
  return { object: 'telemetry', created_at: isoFromPostgres(created_at), fill_percentage };
}

export function toTelemetryRowResponse(tank_id: string, row: TelemetryRow): TelemetryRowResponse {
  const { created_at, fill_percentage } = row;
  return { object: 'telemetry', tank_id, created_at: isoFromPostgres(created_at), fill_percentage };
}
