// Customers: read by one statement a request, so that a page, its total and its tank counts are of one snapshot; changed in a transaction
// each, in which what was decided upon stays as it is.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { selectList } from '../platform/database/columns.js';
import { isStorable, Reads, type PageRows, type Statement } from '../platform/database/reads.js';
import {
  changedFields,
  describeChange,
  nextUpdatedAt,
  storedFields,
  RecordedWrites,
  requireConditions,
  RESTORED,
} from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { longTextFaults } from '../common/validation/limited-text.js';
import { createdAtFaults } from '../common/validation/read-only-fields.js';
import { boundKey, isDeleted, isErased, ownsTanks } from '../common/writes/problems.js';
import { byIds, pageFromRows, pageOfCounted, pageOfFew } from '../common/pagination/page.js';
import type { CountedRow, Listed, Page } from '../common/pagination/page.js';
import { hasWords, searchValue } from '../common/search.js';
import { noSuch } from '../common/problems/problem.js';
import { fieldFault, invalidFields } from '../common/validation/field-mistakes.js';
import { Customer } from './customer.entity.js';
import { NEEDS_VERIFIED, TANK_COUNT } from './dto/customer.input.js';
import type { CustomerInput, CustomerPatch, CustomersQuery } from './dto/customer.input.js';
import { CustomerResponse, showCustomer, toCustomerResponse } from './dto/customer.response.js';
import type { CustomerRow, DeletedCustomerResponse } from './dto/customer.response.js';

const COLUMNS = `${selectList('customer', Customer)}, ${TANK_COUNT} as tank_count`;

const FIND_ONE: Statement = {
  name: 'customer_by_id',
  text: `select ${COLUMNS} from customers customer where id = $1 and ($2::text is null or id = $2)`,
};

const CUSTOMERS: Listed = { table: 'customers', alias: 'customer', columns: COLUMNS };

const FIND_ALL = byIds('customers_by_ids', CUSTOMERS, 'not deleted and ($2::text is null or id = $2)');

const LIST = pageOfCounted('customers_page', CUSTOMERS, 'customers_locate($1, $2, $3)', 'not deleted');

const LIST_BY_EMAIL = pageOfFew('customers_page_by_email', CUSTOMERS, 'not deleted and email = $5');

/** A key bound to a customer lists that one customer, if it matches. $5: the email; $6: the customer. */
const OF_BOUND_KEY = 'id = $6 and not deleted and ($5::text is null or email = $5)';
const LIST_OF_BOUND_KEY = pageOfFew('customers_page_of_bound_key', CUSTOMERS, OF_BOUND_KEY);

/** All are searched, or those that the key and the email leave. $7: the words. */
const LIST_WITH_WORDS = pageOfFew(
  'customers_page_with_words',
  CUSTOMERS,
  `not deleted and ($6::text is null or id = $6) and ($5::text is null or email = $5) and ${hasWords('$7', 'search_text')}`,
);

@Injectable()
export class CustomersService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
  ) {}

  async list(query: CustomersQuery, boundTo: string | null): Promise<Page<CustomerResponse>> {
    const rows = await this.readPage(query, boundTo);
    return pageFromRows(CustomerResponse, rows, toCustomerResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<CustomerResponse | DeletedCustomerResponse> {
    const row = await this.reads.firstRow<CustomerRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw noSuch('customer');
    return showCustomer(row);
  }

  /** Those that are there, by their ids. */
  async findAll(ids: readonly string[], boundTo: string | null): Promise<Map<string, CustomerResponse>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.rows<CustomerRow>(FIND_ALL, [JSON.stringify(ids), boundTo], true);
    return new Map(rows.map((row) => [row.id, toCustomerResponse(row)]));
  }

  create(body: CustomerInput, writer: Writer): Promise<WriteResult<CustomerResponse>> {
    return this.writes.run(writer, (manager) => {
      const next = newCustomer(body);
      requireStoredFacts(body, next, null);
      return this.insert(manager, next, body);
    });
  }

  replace(id: string, body: CustomerInput, writer: Writer): Promise<WriteResult<CustomerResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lockCustomer(manager, id, writer);
      // A key that is bound to a customer creates and restores none.
      if (stored?.deleted !== false && writer.customerId !== null) throw boundKey();
      requireConditions(writer, 'customer', stored === null ? undefined : showCustomer(stored));
      const next = newCustomer(body);
      requireStoredFacts(body, next, stored);
      if (stored !== null) return this.update(manager, stored, next);
      return this.insert(manager, Object.assign(next, { id }), body);
    });
  }

  patch(id: string, body: CustomerPatch, writer: Writer): Promise<WriteResult<CustomerResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lockCustomer(manager, id, writer);
      if (stored === null) throw noSuch('customer');
      requireConditions(writer, 'customer', showCustomer(stored));
      if (stored.deleted) throw isDeleted('customer');
      const next = Object.assign(new Customer(), storedFields(stored), storedFields(body));
      requireStoredFacts(body, next, stored);
      return this.update(manager, stored, next);
    });
  }

  remove(id: string, writer: Writer): Promise<WriteResult<DeletedCustomerResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lockCustomer(manager, id, writer);
      if (stored === null) throw noSuch('customer');
      requireConditions(writer, 'customer', showCustomer(stored));
      const object = { id, object: 'customer', deleted: true } as const;
      if (stored.deleted) return { object };
      if (stored.tank_count > 0) throw ownsTanks(stored.tank_count);
      await manager.update(Customer, { id }, { deleted: true, updated_at: nextUpdatedAt });
      return {
        object,
        change: describeChange('customer', id, 'delete', ['deleted'], { ownerId: id, before: stored }),
      };
    });
  }

  restore(id: string, writer: Writer): Promise<WriteResult<CustomerResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lockCustomer(manager, id, writer);
      if (stored === null) throw noSuch('customer');
      requireConditions(writer, 'customer', showCustomer(stored));
      if (!stored.deleted) return { object: toCustomerResponse(stored) };
      if (stored.erased) throw isErased('customer');
      await manager.update(Customer, { id }, { deleted: false, updated_at: nextUpdatedAt });
      const change = describeChange('customer', id, 'restore', ['deleted'], {
        ownerId: id,
        changes: RESTORED,
      });
      const customer = await manager.findOneByOrFail(Customer, { id });
      return { object: toCustomerResponse(await counted(manager, customer)), change };
    });
  }

  private async insert(
    manager: EntityManager,
    next: Customer,
    { created_at }: CustomerInput,
  ): Promise<WriteResult<CustomerResponse>> {
    const customer = Object.assign(next, created_at === undefined ? {} : { created_at });
    await manager.insert(Customer, customer);
    const { id } = customer;
    const change = describeChange('customer', id, 'create', changedFields({}, storedFields(customer)), {
      ownerId: id,
    });
    return { object: toCustomerResponse(Object.assign(customer, { tank_count: 0 })), change };
  }

  private async update(
    manager: EntityManager,
    stored: CountedCustomer,
    next: Customer,
  ): Promise<WriteResult<CustomerResponse>> {
    const { id } = stored;
    const fields = changedFields(storedFields(stored), storedFields(next));
    if (!stored.deleted && fields.length === 0) return { object: toCustomerResponse(stored) };
    await manager.update(
      Customer,
      { id },
      { ...storedFields(next), deleted: false, updated_at: nextUpdatedAt },
    );
    const whose = { ownerId: id, before: toCustomerResponse(stored) };
    const change = stored.deleted
      ? describeChange('customer', id, 'restore', ['deleted', ...fields], whose)
      : describeChange('customer', id, 'update', fields, whose);
    const customer = await manager.findOneByOrFail(Customer, { id });
    return { object: toCustomerResponse(await counted(manager, customer)), change };
  }

  private readPage(
    query: CustomersQuery,
    boundTo: string | null,
  ): Promise<PageRows<CustomerRow & CountedRow>> {
    const { since, until, skip, size, isLarge, email = null, q } = query;
    const values = [since, until, skip, size];
    if (q !== undefined)
      return this.reads.page(LIST_WITH_WORDS, [...values, email, boundTo, searchValue(q)], isLarge, true);
    if (boundTo !== null) return this.reads.page(LIST_OF_BOUND_KEY, [...values, email, boundTo], isLarge);
    if (email !== null) return this.reads.page(LIST_BY_EMAIL, [...values, email], isLarge);
    return this.reads.page(LIST, values, isLarge);
  }
}

/**
 * Null when the caller sees none. First the table, as an import does it; then the customer, so that nobody gives it a tank meanwhile: its
 * tanks are counted when that is so.
 */
export async function lockCustomer(
  manager: EntityManager,
  id: string,
  { customerId: boundTo }: Writer,
): Promise<CountedCustomer | null> {
  await manager.query('lock table customers in row exclusive mode');
  if (!isStorable(id) || (boundTo !== null && boundTo !== id)) return null;
  const customer = await manager.findOne(Customer, { where: { id }, lock: { mode: 'pessimistic_write' } });
  return customer === null ? null : counted(manager, customer);
}

type CountedCustomer = Customer & { readonly tank_count: number };

/** What is left out has its default. */
function newCustomer(body: CustomerInput): Customer {
  return Object.assign(new Customer(), storedFields(body));
}

/** Throws what is wrong with values that are good alone. */
function requireStoredFacts(
  body: CustomerPatch,
  { is_verified: isVerified, verified_at: verifiedAt }: Customer,
  stored: Customer | null,
): void {
  const faults = [...createdAtFaults(body.created_at, stored?.created_at), ...longTextFaults(body, stored)];
  if (!isVerified && verifiedAt !== null) faults.push(fieldFault('verified_at', NEEDS_VERIFIED.reason));
  if (faults.length > 0) throw invalidFields(faults);
}

async function counted(manager: EntityManager, customer: Customer): Promise<CountedCustomer> {
  const [row] = await manager.query<{ tank_count: number }[]>(
    `select ${TANK_COUNT}::integer as tank_count from customers customer where id = $1`,
    [customer.id],
  );
  return Object.assign(customer, { tank_count: row?.tank_count ?? 0 });
}
