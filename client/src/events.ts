// Events: what happened to tanks.
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type { List, ListEventsQuery, TankEvent } from './types.js';

export class Events {
  constructor(private readonly transport: Transport) {}

  /** Every event that is kept, newest first. */
  list(
    query: WalkQuery<ListEventsQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<TankEvent, void, undefined> {
    return walk<TankEvent>(this.transport, '/v1/events', query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListEventsQuery = {}, options: RequestOptions = {}): Promise<List<TankEvent>> {
    return pageOf(this.transport, '/v1/events', query, options);
  }

  async get(id: string, options: RequestOptions = {}): Promise<TankEvent> {
    return askForJson(this.transport, { ...options, path: address`/v1/events/${id}`, isRepeatable: true });
  }
}
