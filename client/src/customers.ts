// Customers.
import { Objects, write, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  Customer,
  CustomerInput,
  CustomerPatch,
  DeletedCustomer,
  Erasure,
  ListCustomersQuery,
} from './types.js';

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

  /** Forgets it for good, with its tanks and all who belong to it; the readings stay. */
  async erase(id: string, options: WriteOptions = {}): Promise<Erasure> {
    return write(this.transport, 'POST', address`/v1/customers/${id}/erase`, undefined, options, true);
  }
}
