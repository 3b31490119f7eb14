// The feed as the API shows it. The objects in it are those that the other addresses show by id.
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { EventResponse } from '../../alerts/dto/event.response.js';
import { CustomerResponse, DeletedCustomerResponse } from '../../customers/dto/customer.response.js';
import { ApiInstant, ApiObjectName, FILL, INSTANT } from '../../openapi/properties.js';
import { DeletedTankResponse, TankResponse } from '../../tanks/dto/tank.response.js';
import { CHANGE_TYPES, type ChangeType } from '../change-types.js';

export class ChangedReadingResponse {
  @ApiProperty({
    ...INSTANT,
    description: 'When the reading was created.',
    example: '2026-10-31T18:00:00.000Z',
  })
  created_at: string;

  @ApiProperty({ ...FILL, description: 'Its fill level.', example: 63.4 })
  fill_percentage: number;
}

export class ChangedTelemetryResponse {
  @ApiInstant('The first instant of the range.', '2026-10-31T18:00:00.000Z')
  created_at_gte: string;

  @ApiInstant('The last instant of the range.', '2026-10-31T18:00:00.000Z')
  created_at_lte: string;

  @ApiProperty({
    type: [ChangedReadingResponse],
    nullable: true,
    description:
      'All readings that the tank has in this range now, oldest first: they replace what you have there. Null for more than 1,000: read the range from the telemetry list.',
    example: [{ created_at: '2026-10-31T18:00:00.000Z', fill_percentage: 63.4 }],
  })
  readings: ChangedReadingResponse[] | null;
}

/** What may be in a change. The controller adds them to the document: a decorated class loses its name in the bundle. */
export const CHANGE_DATA = [
  TankResponse,
  DeletedTankResponse,
  CustomerResponse,
  DeletedCustomerResponse,
  ChangedTelemetryResponse,
  EventResponse,
] as const;
type ChangeData = InstanceType<(typeof CHANGE_DATA)[number]>;

export class ChangeResponse {
  @ApiObjectName('change')
  object: 'change';

  @ApiProperty({
    enum: CHANGE_TYPES,
    enumName: 'ChangeType',
    description: 'What has changed.',
    example: 'telemetry',
  })
  type: ChangeType;

  @ApiProperty({
    description: 'Identifier of the customer, tank or event; of telemetry, its tank.',
    example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
  })
  id: string;

  @ApiInstant('When the change got its place in the feed.', '2026-10-31T18:00:00.412Z')
  created_at: string;

  @ApiProperty({
    description: 'The object as it is now, as by its id; of telemetry, the readings of a range.',
    oneOf: CHANGE_DATA.map((type) => ({ $ref: getSchemaPath(type) })),
  })
  data: ChangeData;
}

export class ChangesResponse {
  @ApiObjectName('changes')
  object: 'changes';

  @ApiProperty({
    type: [ChangeResponse],
    description: 'Up to `size` changes, oldest first. It may be empty though there are more.',
  })
  data: ChangeResponse[];

  @ApiProperty({
    description: 'The `after` to go on from. Store it when you have handled this page.',
    example: '3f2-mi1z8q3p-y972',
  })
  next: string;

  @ApiProperty({ type: 'boolean', description: 'Whether to ask again at once.', example: false })
  has_more: boolean;
}
