// Tanks.
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type { DeletedTank, List, ListTanksQuery, Tank } from './types.js';

export class Tanks {
  constructor(private readonly transport: Transport) {}

  /** Every tank, newest first. */
  list(
    query: WalkQuery<ListTanksQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Tank, void, undefined> {
    return walk<Tank>(this.transport, '/v1/tanks', query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListTanksQuery = {}, options: RequestOptions = {}): Promise<List<Tank>> {
    return pageOf(this.transport, '/v1/tanks', query, options);
  }

  /** One that was deleted has `deleted: true`, and no other fields than its id. */
  get(id: string, options: RequestOptions = {}): Promise<Tank | DeletedTank> {
    return askForJson(this.transport, { ...options, path: address`/v1/tanks/${id}`, isRepeatable: true });
  }
}
