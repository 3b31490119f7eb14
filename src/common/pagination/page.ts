// One page of a list, as a service returns it; PaginationInterceptor makes the answer of it.
import type { Type } from '@nestjs/common';
import type { PageQuery } from './dto/page.query.js';

export class Page<T extends object> {
  constructor(
    /** Its fields are the columns of a CSV file. */
    readonly rowType: Type<T>,
    readonly data: readonly T[],
    readonly totalItems: number,
    readonly query: PageQuery,
  ) {}

  get totalPages(): number {
    return Math.ceil(this.totalItems / this.query.size);
  }
}

/** A row of a list's statement. Every row carries the total. An empty page is one row with only the total and a null key column. */
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
