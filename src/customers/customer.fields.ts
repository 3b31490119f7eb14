// What a customer is made of: the one list of its fields and their rules, for import, export, statements and requests.
import { describeResource } from '../fields/resource.js';

export const CUSTOMER = describeResource({
  object: 'customer',
  table: 'customers',
  fields: {
    email: { type: 'text', min: 1, max: 320 },
    name: { type: 'text', inRequests: { min: 1 } },
    phone: { type: 'text', nullable: true },
    is_verified: { type: 'boolean', default: false },
    verified_at: { type: 'instant', nullable: true },
    last_seen_at: { type: 'instant', nullable: true },
  },
  computed: {
    tank_count: '(select count(*) from tanks where tanks.owner_id = customer.id and not tanks.deleted)',
  },
  together: ({ is_verified, verified_at = null }) =>
    is_verified === false && verified_at !== null
      ? { pointer: '/verified_at', reason: 'verified_at must be null unless is_verified is true', detail: '' }
      : undefined,
});
