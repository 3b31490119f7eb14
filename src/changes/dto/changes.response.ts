// The feed as the API shows it. The objects in it are those that the other addresses show by id.
import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { EventResponse } from '../../alerts/dto/event.response.js';
import { CustomerResponse, DeletedCustomerResponse } from '../../customers/dto/customer.response.js';
import { ApiInstant, ApiObjectName, FILL, INSTANT } from '../../openapi/properties.js';
import { DeletedTankResponse, TankResponse } from '../../tanks/dto/tank.response.js';
import type { ChangeType } from '../change-types.js';

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

type ChangeData =
  | TankResponse
  | DeletedTankResponse
  | CustomerResponse
  | DeletedCustomerResponse
  | ChangedTelemetryResponse
  | EventResponse;

/** The document has a class for each type: see below. */
export interface ChangeResponse {
  readonly object: 'change';
  readonly type: ChangeType;
  readonly id: string;
  readonly created_at: string;
  readonly data: ChangeData;
}

const ID = '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e';

/** A change of one type, whose data can only be what that type has. */
function changeOf(type: ChangeType, name: string, about: string, data: readonly Type[]): Type {
  const refs = data.map((one) => ({ $ref: getSchemaPath(one) }));
  class Change {
    @ApiObjectName('change')
    object: 'change';

    @ApiProperty({ type: 'string', enum: [type], description: `Always \`${type}\`.`, example: type })
    type: string;

    @ApiProperty({ description: `Identifier of the ${type === 'telemetry' ? 'tank' : type}.`, example: ID })
    id: string;

    @ApiInstant('When the change got its place in the feed.', '2026-10-31T18:00:00.412Z')
    created_at: string;

    @ApiProperty({ description: about, ...(refs.length === 1 ? { allOf: refs } : { oneOf: refs }) })
    data: object;
  }
  Object.defineProperty(Change, 'name', { value: `${name}ChangeResponse` });
  return Change;
}

const AS_BY_ID = 'The object as it is now, as by its id.';

/** The controller adds them to the document: a decorated class loses its name in the bundle. */
export const CHANGE_MODELS: readonly Type[] = [
  TankResponse,
  DeletedTankResponse,
  CustomerResponse,
  DeletedCustomerResponse,
  ChangedTelemetryResponse,
  EventResponse,
  changeOf('customer', 'Customer', AS_BY_ID, [CustomerResponse, DeletedCustomerResponse]),
  changeOf('tank', 'Tank', AS_BY_ID, [TankResponse, DeletedTankResponse]),
  changeOf('telemetry', 'Telemetry', 'The readings of a range.', [ChangedTelemetryResponse]),
  changeOf('event', 'Event', AS_BY_ID, [EventResponse]),
];

export class ChangesResponse {
  @ApiObjectName('changes')
  object: 'changes';

  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath('ChangeResponse') },
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
