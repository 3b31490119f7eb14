// One page of a list, or the next piece of a long walk, as a service returns it; PaginationInterceptor makes the answer of it. And the
// statements of lists.
import type { Type } from '@nestjs/common';
import type { PageRows, Statement } from '../../platform/database/reads.js';
import { RowsInParts, type Parts } from '../../platform/database/rows-in-parts.js';
import type { FormattedQuery, PageQuery } from './dto/page.query.js';

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

/** A row of a list's statement. Every row carries the total. An empty page is one row with only the total, whose columns are null. */
export interface CountedRow {
  readonly total: number;
  readonly id?: unknown;
  readonly created_at?: unknown;
}

/** Without a row, nothing can be what was asked for. */
export function pageFromRows<Row extends CountedRow, T extends object>(
  rowType: Type<T>,
  rows: PageRows<Row>,
  toResponse: (row: Row) => T,
  query: PageQuery,
): Page<T> {
  const partOf = (part: readonly Row[]): PartOfPage<T> => {
    const [first] = part;
    const isEmpty = (first?.id ?? first?.created_at ?? null) === null;
    return { data: isEmpty ? [] : part.map(toResponse), totalItems: first?.total ?? 0 };
  };
  if (rows instanceof RowsInParts) return new PageInParts(rowType, (work) => rows.read(partOf, work), query);
  const { data, totalItems } = partOf(rows);
  return new WholePage(rowType, data, totalItems, query);
}

// The statements of lists, newest first: one gives a page and, on each of its rows, the total. Their parameters begin with the
// range ($1, $2), how many rows come before the page ($3) and its size ($4).
export interface Listed {
  readonly table: string;
  /** What `columns` call a row. */
  readonly alias: string;
  readonly columns: string;
}

/** Those of several ids: `$1` is a JSON array of them. */
export function byIds(name: string, { table, alias, columns }: Listed, condition: string): Statement {
  return {
    name,
    text: `
      select ${columns} from ${table} ${alias}
      where id = any (array(select value collate "C" from json_array_elements_text($1::json))) and ${condition}`,
  };
}

/** A list that is counted by day: `locate` looks up its total and where the page begins, however deep that is. */
export function pageOfCounted(name: string, listed: Listed, locate: string, condition: string): Statement {
  return pageStatement(name, listed, {
    total: locate,
    rows: `${condition} and created_at >= $1 and created_at < page.newest`,
    passed: 'page.passed',
  });
}

/** Few rows meet the condition: an index of their own finds them, and counting them is cheap. */
export function pageOfFew(name: string, listed: Listed, condition: string): Statement {
  const rows = `${condition} and created_at >= $1 and created_at < $2`;
  const total = `(select count(*) as total from ${listed.table} where ${rows})`;
  return pageStatement(name, listed, { total, rows, passed: '$3' });
}

function pageStatement(
  name: string,
  { table, alias, columns }: Listed,
  { total, rows, passed }: { total: string; rows: string; passed: string },
): Statement {
  return {
    name,
    text: `
      select page.total, ${columns}
      from ${total} page
      left join lateral (
        select * from ${table} where ${rows}
        order by created_at desc, id desc offset ${passed} limit $4
      ) ${alias} on true
      order by ${alias}.created_at desc, ${alias}.id desc`,
  };
}

/** The objects, or for NDJSON their lines: of so many, one or the other. */
interface WalkedItems<T extends object> {
  readonly objects: readonly T[];
  readonly lines: string;
}

export class WalkPage<T extends object> {
  constructor(
    /** What the answer calls itself in JSON. */
    readonly object: string,
    /** Its fields are the columns of a CSV file. */
    readonly rowType: Type<T>,
    readonly items: WalkedItems<T>,
    /** Where to go on; null after the last. */
    readonly next: string | null,
    readonly query: FormattedQuery,
  ) {}
}
