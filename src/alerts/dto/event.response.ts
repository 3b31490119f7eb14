// An event as the API shows it and webhooks carry it, with what is needed to act without asking back; and the parameters of the list.
import { ApiProperty } from '@nestjs/swagger';
import {
  ApiField,
  ApiInstant,
  ApiObjectName,
  ApiOptional,
  FILL,
  TANK_ID,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { IsFilled, IsOneOf } from '../../common/validation/parameter-rules.js';
import { LocationResponse } from '../../tanks/dto/tank.response.js';
import { CAPACITY_UNITS, type CapacityUnit } from '../../tanks/tank.entity.js';
import { EVENT_TYPES, type EventType } from '../../rules.js';

export class EventsQuery extends ListQuery {
  @ApiOptional(
    'Only events of this type.',
    { enum: EVENT_TYPES, enumName: 'EventType' },
    IsOneOf(EVENT_TYPES),
  )
  type?: EventType;

  @ApiOptional('Only events of this tank.', { minLength: 1 }, IsFilled())
  tank_id?: string;

  @ApiOptional("Only events of tanks that were this customer's at that time.", { minLength: 1 }, IsFilled())
  owner_id?: string;
}

export class EventReadingResponse {
  @ApiInstant('When the reading was created.', '2026-10-31T18:00:00.000Z')
  created_at: string;

  @ApiField('Its fill level.', 18.2, FILL)
  fill_percentage: number;
}

export class EventTankResponse {
  @ApiField("The tank's name.", 'Boiler house')
  name: string;

  @ApiField("The customer's own id for the tank.", 'BOILER-2', TEXT_OR_NULL)
  custom_id: string | null;

  @ApiField('Its capacity. Not in events that were recorded before there was this field.', 2700, {
    type: 'number',
    required: false,
  })
  capacity?: number;

  @ApiField(
    'Unit of the capacity. A gallon is a US gallon (3.785411784 liters). There when `capacity` is.',
    'liters',
    {
      enum: CAPACITY_UNITS,
      required: false,
    },
  )
  capacity_unit?: CapacityUnit;
}

export class EventDeliveryResponse {
  @ApiField('Capacity × (`reading` − `before`) ÷ 100, to two decimals.', 1957.5, { type: 'number' })
  volume: number;

  @ApiField("Unit of the volume, that of the tank's capacity.", 'liters', { enum: CAPACITY_UNITS })
  unit: CapacityUnit;
}

export class EventOwnerResponse {
  @ApiField("The owner's name; null when the owner is deleted.", 'Brauhaus Giesinger Berg', TEXT_OR_NULL)
  name: string | null;

  @ApiField("The owner's email address; null when the owner is deleted.", 'office@example.com', TEXT_OR_NULL)
  email: string | null;
}

export class EventDataResponse {
  @ApiProperty({
    type: EventReadingResponse,
    description: 'The reading that caused it; for `tank.silent`, the last one.',
  })
  reading: EventReadingResponse;

  @ApiField(
    'The reading before that one; null when there was none.',
    { created_at: '2026-10-31T17:00:00.000Z', fill_percentage: 20.4 },
    { type: EventReadingResponse, nullable: true },
  )
  before: EventReadingResponse | null;

  @ApiProperty({
    type: EventDeliveryResponse,
    required: false,
    description: 'Of `tank.refilled` alone: how much came in between `before` and `reading`.',
  })
  delivered?: EventDeliveryResponse;

  @ApiField("The tank's threshold.", 20, { ...FILL, type: 'integer' })
  min_fill_alert_percentage: number;

  @ApiField('After how many seconds without a reading the tank counted as silent.', 10800, {
    type: 'integer',
  })
  silent_after_seconds: number;

  @ApiProperty({ type: EventTankResponse, description: 'The tank, as it was then.' })
  tank: EventTankResponse;

  @ApiProperty({ type: EventOwnerResponse, description: 'The owner, as it was then.' })
  owner: EventOwnerResponse;

  @ApiProperty({ type: LocationResponse, description: "The tank's location, as it was then." })
  location: LocationResponse;
}

export class EventResponse {
  @ApiField(
    'Unique identifier of the event; webhooks carry it as `webhook-id`.',
    '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
  )
  id: string;

  @ApiObjectName('event')
  object: 'event';

  @ApiField('What happened.', 'tank.low', { enum: EVENT_TYPES, enumName: 'EventType' })
  type: EventType;

  @ApiInstant("When the event was recorded; the reading's own time is in `data`.", '2026-10-31T18:00:04.218Z')
  created_at: string;

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiField("Identifier of the tank's owner at that time.", '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77')
  owner_id: string;

  @ApiProperty({ type: EventDataResponse, description: 'What is needed to act without asking back.' })
  data: EventDataResponse;
}

export const EventListResponse = createListResponse(EventResponse, 'EventListResponse');
