// An event as the API shows it and webhooks carry it. Its data holds what is needed to act without asking back.
import { ApiProperty } from '@nestjs/swagger';
import { ApiObjectName, FILL, INSTANT, TANK_ID, TEXT_OR_NULL } from '../../openapi/properties.js';
import { listResponseOf } from '../../pagination/dto/list.response.js';
import { LocationResponse } from '../../tanks/dto/tank.response.js';
import { EVENT_TYPES, type EventType } from '../event-types.js';

export class EventReadingResponse {
  @ApiProperty({
    ...INSTANT,
    description: 'When the reading was created.',
    example: '2026-10-31T18:00:00.000Z',
  })
  created_at: string;

  @ApiProperty({ ...FILL, description: 'Its fill level.', example: 18.2 })
  fill_percentage: number;
}

export class EventTankResponse {
  @ApiProperty({ description: "The tank's name.", example: 'Boiler house' })
  name: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: "The customer's own id for the tank.", example: 'BOILER-2' })
  custom_id: string | null;
}

export class EventOwnerResponse {
  @ApiProperty({
    ...TEXT_OR_NULL,
    description: "The owner's name; null when the owner is deleted.",
    example: 'Brauhaus Giesinger Berg',
  })
  name: string | null;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: "The owner's email address; null when the owner is deleted.",
    example: 'office@example.com',
  })
  email: string | null;
}

export class EventDataResponse {
  @ApiProperty({
    type: EventReadingResponse,
    description: 'The reading that caused it; for `tank.silent`, the last one.',
  })
  reading: EventReadingResponse;

  @ApiProperty({
    type: EventReadingResponse,
    nullable: true,
    description: 'The reading before that one; null when there was none.',
    example: { created_at: '2026-10-31T17:00:00.000Z', fill_percentage: 20.4 },
  })
  before: EventReadingResponse | null;

  @ApiProperty({ ...FILL, type: 'integer', description: "The tank's threshold.", example: 20 })
  min_fill_alert_percentage: number;

  @ApiProperty({
    type: 'integer',
    description: 'After how many seconds without a reading the tank counted as silent.',
    example: 10800,
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
  @ApiProperty({
    description: 'Unique identifier of the event; webhooks carry it as `webhook-id`.',
    example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
  })
  id: string;

  @ApiObjectName('event')
  object: 'event';

  @ApiProperty({
    enum: EVENT_TYPES,
    enumName: 'EventType',
    description: 'What happened.',
    example: 'tank.low',
  })
  type: EventType;

  @ApiProperty({
    ...INSTANT,
    description: "When the event was recorded; the reading's own time is in `data`.",
    example: '2026-10-31T18:00:04.218Z',
  })
  created_at: string;

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiProperty({
    description: "Identifier of the tank's owner at that time.",
    example: '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
  })
  owner_id: string;

  @ApiProperty({ type: EventDataResponse, description: 'What is needed to act without asking back.' })
  data: EventDataResponse;
}

export const EventListResponse = listResponseOf(EventResponse, 'EventListResponse');
