// How an event's row becomes the object that the API shows and webhooks carry. Apart from the response class, so that the worker's
// process loads none of what describes the API.
import { isoFromPostgres } from '../common/datetime/datetime.js';
import { roundTo } from '../common/rounding.js';
import type { EventDataResponse, EventResponse } from './dto/event.response.js';

/** The database writes `data` in the form and order in which it is shown, but for `delivered`. */
export type EventRow = Omit<EventResponse, 'object'>;

export function toEventResponse(row: EventRow): EventResponse {
  return {
    id: row.id,
    object: 'event',
    type: row.type,
    created_at: isoFromPostgres(row.created_at),
    tank_id: row.tank_id,
    owner_id: row.owner_id,
    data: row.type === 'tank.refilled' ? withDelivery(row.data) : row.data,
  };
}

/** Events that an earlier version recorded do not know the capacity of then. */
function withDelivery(data: EventDataResponse): EventDataResponse {
  const { reading, before, tank } = data;
  if (before === null || tank.capacity === undefined || tank.capacity_unit === undefined) return data;
  const points = reading.fill_percentage - before.fill_percentage;
  const delivered = { volume: roundTo((tank.capacity * points) / 100, 2), unit: tank.capacity_unit };
  return Object.assign(data, { delivered });
}
