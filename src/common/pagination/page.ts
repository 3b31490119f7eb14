// One page of a list, as a service returns it; PaginationInterceptor makes the answer of it.
import type { Type } from '@nestjs/common';
import type { PageRows } from '../../platform/database/reads.js';
import { RowsInParts, type Parts } from '../../platform/database/rows-in-parts.js';
import type { PageQuery } from './dto/page.query.js';

export type Page<T extends object> = WholePage<T> | PageInParts<T>;

export class WholePage<T extends object> {
  constructor(
    /** Its fields are the columns of a CSV file. */
    readonly rowType: Type<T>,
    readonly data: readonly T[],
    readonly totalItems: number,
    readonly query: PageQuery,
  ) {}
}

export interface PartOfPage<T extends object> {
  readonly data: readonly T[];
  readonly totalItems: number;
}

/** One that would take too much memory at once. `read` holds a connection until `work` ends. */
export class PageInParts<T extends object> {
  constructor(
    readonly rowType: Type<T>,
    readonly read: (work: (parts: Parts<PartOfPage<T>>) => Promise<void>) => Promise<void>,
    readonly query: PageQuery,
  ) {}
}

/** A row of a list's statement. Every row carries the total. An empty page is one row with only the total and a null key column. */
export interface CountedRow {
  readonly total: number;
}

/** `isItem` is false for the row that has only a total. */
export function pageFromRows<Row extends CountedRow, T extends object>(
  rowType: Type<T>,
  rows: PageRows<Row>,
  isItem: (row: Row) => boolean,
  toResponse: (row: Row) => T,
  query: PageQuery,
): Page<T> {
  const partOf = (part: readonly Row[]): PartOfPage<T> => {
    const [first] = part;
    if (first === undefined) throw new Error('A list statement returned no total.');
    return { data: isItem(first) ? part.map(toResponse) : [], totalItems: first.total };
  };
  if (rows instanceof RowsInParts) return new PageInParts(rowType, (work) => rows.read(partOf, work), query);
  const { data, totalItems } = partOf(rows);
  return new WholePage(rowType, data, totalItems, query);
}
