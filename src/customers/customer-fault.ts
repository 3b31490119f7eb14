// What is wrong with the customer that a key, a user or a webhook endpoint is to belong to.
import type { EntityManager } from 'typeorm';
import { quote } from '../common/validation/fault.js';
import type { FieldFault } from '../common/validation/field-mistakes.js';
import type { Writer } from '../common/writes/recorded-writes.js';
import { Customer } from './customer.entity.js';

/** One that is there stays until the end of the transaction; with a caller that is bound to a customer, that one. */
export async function customerFault(
  manager: EntityManager,
  id: string | null,
  { customerId: boundTo }: Writer,
  pointer = '/customer_id',
): Promise<FieldFault | undefined> {
  if (boundTo === null && id === null) return undefined;
  const isOwn = boundTo === null || boundTo === id;
  const customer =
    isOwn && id !== null
      ? await manager.findOne(Customer, { where: { id }, lock: { mode: 'for_key_share' } })
      : null;
  if (customer?.deleted === false) return undefined;
  return { pointer, reason: 'unknown customer', detail: quote(id) };
}
