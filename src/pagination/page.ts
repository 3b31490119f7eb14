// One page of a list as a service returns it. It answers with the list envelope and a Link header, or with rows in another format
// and the totals in headers.
import type { Type } from '@nestjs/common';
import type { Response } from 'express';
import { Rows } from '../formats/rows.js';
import { Answer } from '../http/answer.js';
import type { PageQuery } from './dto/page.query.js';
import { linksOf } from './links.js';

export class Page<T extends object> extends Answer {
  constructor(
    readonly rowType: Type<T>,
    readonly data: readonly T[],
    readonly totalItems: number,
    readonly query: PageQuery,
  ) {
    super();
  }

  get totalPages(): number {
    return Math.ceil(this.totalItems / this.query.pageSize);
  }

  override bodyFor(response: Response): object | string {
    const link = linksOf(this.query, this.totalPages, response.req.originalUrl);
    const { rowFormat } = this.query;
    if (rowFormat !== undefined)
      return new Rows(rowFormat, this.rowType, this.data, {
        ...(link !== undefined && { Link: link }),
        'X-Total-Items': String(this.totalItems),
        'X-Total-Pages': String(this.totalPages),
      }).bodyFor(response);
    if (link !== undefined) response.setHeader('Link', link);
    return this.envelope(response);
  }

  private envelope(response: Response): object | string {
    const number = this.query.pageNumber;
    const body = {
      object: 'list',
      data: this.data,
      page: typeof number === 'bigint' ? 0 : number,
      size: this.query.pageSize,
      total_pages: this.totalPages,
      total_items: this.totalItems,
    };
    if (typeof number !== 'bigint') return body;
    // JSON.stringify cannot write a bigint; such a page is past any end, so its data is [] and "page" stands once.
    response.type('application/json');
    return JSON.stringify(body).replace('"page":0', `"page":${number}`);
  }
}

/** A row of a list's statement: the total stands on every row, and alone, with a null key column, on an empty page. */
export interface CountedRow {
  readonly total: number;
}

/** `isItem` is false for the row that has only a total. */
export function pageFromRows<Row extends CountedRow, T extends object>(
  rowType: Type<T>,
  rows: readonly Row[],
  isItem: (row: Row) => boolean,
  toResponse: (row: Row) => T,
  query: PageQuery,
): Page<T> {
  const [first] = rows;
  if (first === undefined) throw new Error('A list statement returned no total.');
  return new Page(rowType, isItem(first) ? rows.map(toResponse) : [], first.total, query);
}
