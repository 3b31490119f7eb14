// How an event's row becomes the object that the API shows and webhooks carry. Apart from the response class, so that the worker's
// process needs nothing of Nest.
import { isoFromPostgres } from '../common/datetime/datetime.js';
import type { EventResponse } from './dto/event.response.js';

/** The database writes `data` in the form and order in which it is shown. */
export type EventRow = Omit<EventResponse, 'object'>;

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
