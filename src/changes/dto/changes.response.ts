// The feed as the API shows it. The objects in it are those that the other addresses show by id.
import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { EventResponse } from '../../alerts/dto/event.response.js';
import { CustomerResponse, DeletedCustomerResponse } from '../../customers/dto/customer.response.js';
import { ApiField, ApiInstant, ApiObjectName, FILL } from '../../common/openapi/properties.js';
import { DeletedTankResponse, TankResponse } from '../../tanks/dto/tank.response.js';
import type { ChangeType } from '../change-types.js';

export class ChangedReadingResponse {
  @ApiInstant('When the reading was created.', '2026-10-31T18:00:00.000Z')
  created_at: string;

  @ApiField('Its fill level.', 63.4, FILL)
  fill_percentage: number;
}

export class ChangedTelemetryResponse {
  @ApiInstant('The first instant of the range.', '2026-10-31T18:00:00.000Z')
  created_at_gte: string;

  @ApiInstant('The last instant of the range.', '2026-10-31T18:00:00.000Z')
  created_at_lte: string;

  @ApiField(
    'All readings that the tank has in this range now, oldest first: they replace what you have there. Null for more than 1,000: read the range from the telemetry list.',
    [{ created_at: '2026-10-31T18:00:00.000Z', fill_percentage: 63.4 }],
    { type: [ChangedReadingResponse], nullable: true },
  )
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
function defineChange(type: ChangeType, name: string, about: string, data: readonly Type[]): Type {
  const refs = data.map((one) => ({ $ref: getSchemaPath(one) }));
  class ChangeOfType {
    @ApiObjectName('change')
    object: 'change';

    @ApiField(`Always \`${type}\`.`, type, { type: 'string', enum: [type] })
    type: string;

    @ApiField(`Identifier of the ${type === 'telemetry' ? 'tank' : type}.`, ID)
    id: string;

    @ApiInstant('When the change got its place in the feed.', '2026-10-31T18:00:00.412Z')
    created_at: string;

    @ApiProperty({ description: about, ...(refs.length === 1 ? { allOf: refs } : { oneOf: refs }) })
    data: object;
  }
  Object.defineProperty(ChangeOfType, 'name', { value: `${name}ChangeResponse` });
  return ChangeOfType;
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
  defineChange('customer', 'Customer', AS_BY_ID, [CustomerResponse, DeletedCustomerResponse]),
  defineChange('tank', 'Tank', AS_BY_ID, [TankResponse, DeletedTankResponse]),
  defineChange('telemetry', 'Telemetry', 'The readings of a range.', [ChangedTelemetryResponse]),
  defineChange('event', 'Event', AS_BY_ID, [EventResponse]),
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

  @ApiField('The `after` to go on from. Store it when you have handled this page.', '3f2-mi1z8q3p-y972')
  next: string;

  @ApiField('Whether to ask again at once.', false, { type: 'boolean' })
  has_more: boolean;
}
