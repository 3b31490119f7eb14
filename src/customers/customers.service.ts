// Reads customers: one statement a request, so that a page, its total and its tank counts are of one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { selectList } from '../fields/resource.js';
import { pageFromRows, type CountedRow, type Page } from '../pagination/page.js';
import { notFound } from '../problems/problem.js';
import { CUSTOMER } from './customer.fields.js';
import {
  toCustomerResponse,
  type CustomerResponse,
  type CustomerRow,
  type DeletedCustomerResponse,
} from './dto/customer.response.js';
import type { CustomersQuery } from './dto/customers.query.js';

type CustomerOnPage = CustomerRow & CountedRow;

const COLUMNS = selectList(CUSTOMER);

const FIND_ONE: Statement = {
  name: 'customer_by_id',
  text: `select ${COLUMNS} from customers customer where id = $1 and ($2::text is null or id = $2)`,
};

const LIST: Statement = {
  name: 'customers_page',
  text: `
    select page.total, ${COLUMNS}
    from customers_locate($1, $2, $3) page
    left join lateral (
      select * from customers
      where not deleted and created_at >= $1 and created_at < page.newest
      order by created_at desc, id desc offset page.passed limit $4
    ) customer on true
    order by customer.created_at desc, customer.id desc`,
};

/** Few customers share an email: its own index finds them, and counting them is cheap. */
const LIST_BY_EMAIL: Statement = {
  name: 'customers_page_by_email',
  text: `
    select page.total, ${COLUMNS}
    from (select count(*) as total from customers
          where not deleted and email = $5 and created_at >= $1 and created_at < $2) page
    left join lateral (
      select * from customers
      where not deleted and email = $5 and created_at >= $1 and created_at < $2
      order by created_at desc, id desc offset $3 limit $4
    ) customer on true
    order by customer.created_at desc, customer.id desc`,
};

/** A key bound to a customer lists that one customer, if it matches. */
const LIST_OF_BOUND_KEY: Statement = {
  name: 'customers_page_of_bound_key',
  text: `
    select page.total, ${COLUMNS}
    from (select count(*) as total from customers
          where id = $6 and not deleted and created_at >= $1 and created_at < $2 and ($5::text is null or email = $5)) page
    left join lateral (
      select * from customers
      where id = $6 and not deleted and created_at >= $1 and created_at < $2 and ($5::text is null or email = $5)
      offset $3 limit $4
    ) customer on true`,
};

@Injectable()
export class CustomersService {
  constructor(private readonly reads: Reads) {}

  async list(query: CustomersQuery, boundTo: string | null): Promise<Page<CustomerResponse>> {
    const rows = await this.readPage(query, boundTo);
    return pageFromRows(rows, (row) => row.id !== null, toCustomerResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<CustomerResponse | DeletedCustomerResponse> {
    const row = isStorable(id) ? await this.reads.firstRow<CustomerRow>(FIND_ONE, [id, boundTo]) : undefined;
    if (row === undefined) throw notFound('There is no customer with this id.');
    return row.deleted ? { id: row.id, object: 'customer', deleted: true } : toCustomerResponse(row);
  }

  private readPage(query: CustomersQuery, boundTo: string | null): Promise<CustomerOnPage[]> {
    const { since, until, skip, pageSize, isLarge, email } = query;
    // No customer has an empty email, so it stands for one that nobody can have.
    const wanted = email === undefined ? null : isStorable(email) ? email : '';
    if (boundTo !== null) {
      return this.reads.rows(LIST_OF_BOUND_KEY, [since, until, skip, pageSize, wanted, boundTo], isLarge);
    }
    if (wanted !== null)
      return this.reads.rows(LIST_BY_EMAIL, [since, until, skip, pageSize, wanted], isLarge);
    return this.reads.rows(LIST, [since, until, skip, pageSize], isLarge);
  }
}
