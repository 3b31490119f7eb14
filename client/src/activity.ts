// Activity: who changed what.
import { pageOf, walk, type WalkQuery } from './lists.js';
import type { RequestOptions, Transport } from './transport.js';
import type { Activity, List, ListActivityQuery } from './types.js';

export class Activities {
  constructor(private readonly transport: Transport) {}

  /** Every change that is kept, newest first. */
  list(
    query: WalkQuery<ListActivityQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Activity, void, undefined> {
    return walk<Activity>(this.transport, '/v1/activity', query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListActivityQuery = {}, options: RequestOptions = {}): Promise<List<Activity>> {
    return pageOf(this.transport, '/v1/activity', query, options);
  }
}
