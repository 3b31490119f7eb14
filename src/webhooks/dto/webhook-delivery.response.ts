// A delivery of an event to an endpoint as the API shows it, and the parameters of the list.
import { isoFrom, isoOrNull } from '../../common/datetime/datetime.js';
import {
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  ApiOptional,
  COUNT,
  TANK_ID,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { shownAs } from '../../common/shown-as.js';
import { IsOneOf } from '../../common/validation/parameter-rules.js';
import { EVENT_TYPES } from '../../rules.js';

const STATES = ['pending', 'delivered', 'failed'] as const;
const STATE = { type: 'string', enum: STATES, enumName: 'WebhookDeliveryState' } as const;

export class WebhookDeliveriesQuery extends ListQuery {
  @ApiOptional('Only deliveries in this state.', STATE, IsOneOf(STATES))
  state?: (typeof STATES)[number];
}

export class WebhookDeliveryResponse {
  @ApiField('Unique identifier of the delivery.', '4711')
  id: string;

  @ApiObjectName('webhook_delivery')
  object: 'webhook_delivery';

  @ApiInstant('When it was queued.', '2026-10-31T18:00:01.000Z')
  created_at: string;

  @ApiField('The event: what the receiver sees as `webhook-id`.', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  event_id: string;

  @ApiField('The type of the event.', 'tank.low', { enum: EVENT_TYPES, enumName: 'EventType' })
  event_type: string;

  @ApiField(TANK_ID.description, TANK_ID.example)
  tank_id: string;

  @ApiField('`failed` is for good: there is no further attempt.', 'delivered', STATE)
  state: (typeof STATES)[number];

  @ApiField('How often it was tried.', 1, COUNT)
  attempts: number;

  @ApiInstantOrNull('When it was last tried.', '2026-10-31T18:00:01.250Z')
  last_attempt_at: string | null;

  @ApiField('How the last attempt was answered; null without an answer.', 204, {
    type: 'integer',
    nullable: true,
  })
  last_status: number | null;

  @ApiInstantOrNull('When a pending one is tried next.', '2026-10-31T18:00:06.000Z')
  next_attempt_at: string | null;

  @ApiField('Why the last attempt failed.', null, TEXT_OR_NULL)
  detail: string | null;
}

export const WebhookDeliveryListResponse = createListResponse(
  WebhookDeliveryResponse,
  'WebhookDeliveryListResponse',
);

export type WebhookDeliveryRow = Omit<WebhookDeliveryResponse, 'object'>;

export function toWebhookDeliveryResponse(row: WebhookDeliveryRow): WebhookDeliveryResponse {
  return shownAs(WebhookDeliveryResponse, {
    ...row,
    object: 'webhook_delivery',
    created_at: isoFrom(row.created_at),
    last_attempt_at: isoOrNull(row.last_attempt_at),
    next_attempt_at: isoOrNull(row.next_attempt_at),
  });
}
