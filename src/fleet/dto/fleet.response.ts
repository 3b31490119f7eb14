// How many tanks there are, and in which state, as the API shows it.
import { isoFromPostgres } from '../../common/datetime/datetime.js';
import { ApiField, ApiObjectName, COUNT, INSTANT } from '../../common/openapi/properties.js';
import { shownAs } from '../../common/shown-as.js';

export class FleetResponse {
  @ApiObjectName('fleet')
  object: 'fleet';

  @ApiField(
    'When the tanks were counted. The `ETag` does not depend on it.',
    '2026-10-31T18:04:12.345Z',
    INSTANT,
  )
  as_of: string;

  @ApiField('All tanks.', 240, COUNT)
  tanks: number;

  @ApiField('Tanks with a reading.', 236, COUNT)
  reported: number;

  @ApiField('Tanks without any reading.', 4, COUNT)
  never_reported: number;

  @ApiField('Tanks that are low.', 12, COUNT)
  low: number;

  @ApiField('Tanks that have fallen silent.', 9, COUNT)
  silent: number;

  @ApiField('Tanks that are low and silent.', 1, COUNT)
  low_and_silent: number;
}

export type FleetRow = Omit<FleetResponse, 'object' | 'never_reported'>;

export function toFleetResponse(row: FleetRow): FleetResponse {
  const never_reported = row.tanks - row.reported;
  return shownAs(FleetResponse, {
    ...row,
    object: 'fleet',
    as_of: isoFromPostgres(row.as_of),
    never_reported,
  });
}
