// Customers.
import { Objects, type WriteOptions } from './objects.js';
import type { RequestOptions, Transport } from './transport.js';
import type { Customer, CustomerInput, CustomerPatch, DeletedCustomer, ListCustomersQuery } from './types.js';

export class Customers extends Objects<
  Customer,
  DeletedCustomer,
  CustomerInput,
  CustomerPatch,
  ListCustomersQuery
> {
  constructor(transport: Transport) {
    super(transport, '/v1/customers');
  }

  /** One that was deleted has `deleted: true`, and no other fields than its id. */
  get(id: string, options: RequestOptions = {}): Promise<Customer | DeletedCustomer> {
    return this.find(id, options);
  }

  /** The service makes the id. Lost answers are not asked for again: `put` with an id of yours can be repeated. */
  create(input: CustomerInput, options: RequestOptions = {}): Promise<Customer> {
    return this.make(input, options);
  }

  /** Brings a deleted one back as it was; one that is there stays as it is. */
  restore(id: string, options: WriteOptions = {}): Promise<Customer> {
    return this.bringBack(id, options);
  }
}
