// How a customer is written: one with live tanks is not deleted, and a key that is bound to one creates none. And its statements.
import { isStorable } from '../database/text.js';
import { selectList, type JsonRecord } from '../fields/resource.js';
import type { Found } from '../manage/decide.js';
import type { Written } from '../manage/object-writes.js';
import { ownsTanks } from '../manage/problems.js';
import { CUSTOMER } from './customer.fields.js';
import { showCustomer, type CustomerRow } from './dto/customer.response.js';

type ShownCustomer = CustomerRow & JsonRecord;

const FIND = `
  select ${selectList(CUSTOMER)}, customer.xmin::text as version
  from (select) as one left join customers customer on customer.id = $1`;

const WRITE = `
  select ${selectList({ ...CUSTOMER, computed: { tank_count: 'written.tank_count' } })}
  from write_customer($1, $2, $3, $4) written cross join lateral (select (written.customer).*) customer`;

export const CUSTOMER_WRITES: Written<ShownCustomer, ShownCustomer & Found> = {
  resource: CUSTOMER,
  show: showCustomer,
  isVisible: ({ id }, boundTo) => boundTo === null || id === boundTo,
  mayAdd: (boundTo) => boundTo === null,
  faults: (_found, _wish, next) => {
    const found = CUSTOMER.together(next);
    return found === undefined ? [] : [found];
  },
  conflict: ({ tank_count: tanks }, _before, next) =>
    next === undefined && tanks > 0 ? ownsTanks(tanks) : undefined,
  find: { name: 'customer_to_write', text: FIND },
  findValues: ({ id }) => [id !== undefined && isStorable(id) ? id : null],
  write: { name: 'write_customer', text: WRITE },
  // The number of tanks matters where it decided: it is part of the ETag, and keeps a customer from being deleted.
  writeValues: ({ operation }, { preconditions }, { tank_count: tanks }) => [
    operation === 'delete' || preconditions.ifMatch !== undefined ? tanks : null,
  ],
};
