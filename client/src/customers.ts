// Customers.
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type { Customer, DeletedCustomer, List, ListCustomersQuery } from './types.js';

export class Customers {
  constructor(private readonly transport: Transport) {}

  /** Every customer, newest first. */
  list(
    query: WalkQuery<ListCustomersQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Customer, void, undefined> {
    return walk<Customer>(this.transport, '/v1/customers', query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListCustomersQuery = {}, options: RequestOptions = {}): Promise<List<Customer>> {
    return pageOf(this.transport, '/v1/customers', query, options);
  }

  /** One that was deleted has `deleted: true`, and no other fields than its id. */
  get(id: string, options: RequestOptions = {}): Promise<Customer | DeletedCustomer> {
    return askForJson(this.transport, { ...options, path: address`/v1/customers/${id}`, isRepeatable: true });
  }
}
