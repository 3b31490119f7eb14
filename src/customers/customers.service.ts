// Reads customers: one statement a request, so that a page, its total and its tank counts are of one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { selectList } from '../fields/resource.js';
import { pageFromRows, type CountedRow, type Page } from '../pagination/page.js';
import { pageOfCounted, pageOfFew, type Listed } from '../pagination/page-statements.js';
import { notFound } from '../problems/problem.js';
import { CUSTOMER } from './customer.fields.js';
import {
  CustomerResponse,
  showCustomer,
  toCustomerResponse,
  type CustomerRow,
  type DeletedCustomerResponse,
} from './dto/customer.response.js';
import type { CustomersQuery } from './dto/customers.query.js';

const COLUMNS = selectList(CUSTOMER);

const FIND_ONE: Statement = {
  name: 'customer_by_id',
  text: `select ${COLUMNS} from customers customer where id = $1 and ($2::text is null or id = $2)`,
};

/** `$1` is a JSON array of ids. */
const FIND_ALL: Statement = {
  name: 'customers_by_ids',
  text: `
    select ${COLUMNS} from customers customer
    where id = any (array(select value collate "C" from json_array_elements_text($1::json)))
      and not deleted and ($2::text is null or id = $2)`,
};

const CUSTOMERS: Listed = { table: 'customers', alias: 'customer', columns: COLUMNS };

const LIST = pageOfCounted('customers_page', CUSTOMERS, 'customers_locate($1, $2, $3)', 'not deleted');

const LIST_BY_EMAIL = pageOfFew('customers_page_by_email', CUSTOMERS, 'not deleted and email = $5');

/** A key bound to a customer lists that one customer, if it matches. */
const LIST_OF_BOUND_KEY = pageOfFew(
  'customers_page_of_bound_key',
  CUSTOMERS,
  'id = $6 and not deleted and ($5::text is null or email = $5)',
);

@Injectable()
export class CustomersService {
  constructor(private readonly reads: Reads) {}

  async list(query: CustomersQuery, boundTo: string | null): Promise<Page<CustomerResponse>> {
    const rows = await this.readPage(query, boundTo);
    return pageFromRows(CustomerResponse, rows, (row) => row.id !== null, toCustomerResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<CustomerResponse | DeletedCustomerResponse> {
    const row = isStorable(id) ? await this.reads.firstRow<CustomerRow>(FIND_ONE, [id, boundTo]) : undefined;
    if (row === undefined) throw notFound('There is no customer with this id.');
    return showCustomer(row);
  }

  /** Those that are there, by their ids. */
  async findAll(ids: readonly string[], boundTo: string | null): Promise<Map<string, CustomerResponse>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.rows<CustomerRow>(FIND_ALL, [JSON.stringify(ids), boundTo], true);
    return new Map(rows.map((row) => [row.id, toCustomerResponse(row)]));
  }

  private readPage(query: CustomersQuery, boundTo: string | null): Promise<(CustomerRow & CountedRow)[]> {
    const { since, until, skip, size, isLarge, email } = query;
    const values = [since, until, skip, size];
    // No customer has an empty email, so it stands for one that nobody can have.
    const wanted = email === undefined ? null : isStorable(email) ? email : '';
    if (boundTo !== null) return this.reads.rows(LIST_OF_BOUND_KEY, [...values, wanted, boundTo], isLarge);
    if (wanted !== null) return this.reads.rows(LIST_BY_EMAIL, [...values, wanted], isLarge);
    return this.reads.rows(LIST, values, isLarge);
  }
}
