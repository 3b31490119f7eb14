// An event's row, and how it becomes the object that the API shows and webhooks carry. Apart from the response class, so that the
// worker's process needs nothing of Nest.
import { isoFromPostgres } from '../datetime/datetime.js';
import type { EventDataResponse, EventResponse } from './dto/event.response.js';
import type { EventType } from './event-types.js';

export interface EventRow {
  readonly id: string;
  readonly type: EventType;
  readonly created_at: string;
  readonly tank_id: string;
  readonly owner_id: string;
  /** Written by the database in the form and order in which it is shown. */
  readonly data: EventDataResponse;
}

export function toEventResponse(row: EventRow): EventResponse {
  return {
    id: row.id,
    object: 'event',
    type: row.type,
    created_at: isoFromPostgres(row.created_at),
    tank_id: row.tank_id,
    owner_id: row.owner_id,
    data: row.data,
  };
}
