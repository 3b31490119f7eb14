// A list that the service has in pages: how much there is, the way to the other pages, and a real table, of which on a phone only the looks
// change.
import type { ComponentChildren, VNode } from 'preact';
import type { List } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import type { Route } from '../route.js';
import type { Fresh } from '../use-fresh.js';
import { Link } from './link.js';
import { TwoLines } from './text.js';
import { Instead, TroubleBanner, type InsteadProps } from './trouble.js';
import { AsOf } from './when.js';
import { words } from '../words/words.js';

export const PAGE_SIZE = 50;
/** As the API is asked for it. */
export const pageOf = ({ page }: Route) => ({ page, size: PAGE_SIZE });

/** Of two lines, the second of what belongs to the first, or of anything else. */
type Cell = VNode | string | number | false | null | readonly [ComponentChildren, ComponentChildren];

interface TableProps<Item> {
  /** Of the style sheet. */
  readonly name: string;
  /** For those who do not see it. */
  readonly caption: string;
  readonly columns: readonly (readonly [name: string, width: string, cell: (item: Item) => Cell])[];
  /** What tells a row from the others and, where its name leads to what it is about, that link. */
  readonly row: (item: Item) => {
    readonly key: string;
    readonly to?: Route;
    readonly [data: `data-${string}`]: string;
  };
  /** Nothing is shown of none. */
  readonly items: readonly Item[] | undefined;
  readonly isBusy?: boolean;
}

export function Table<Item>({ name, caption, columns, row, items = [], isBusy }: TableProps<Item>) {
  if (items.length === 0) return null;
  return (
    <table class={`tanks listing ${name}`} aria-busy={isBusy}>
      <caption class="for-ears">{caption}</caption>
      <Head columns={columns} />
      <tbody>
        {items.map((item) => {
          const { key, to, ...data } = row(item);
          const [first = '', ...others] = columns.map(([, , cell]) => cell(item));
          return (
            <tr key={key}>
              {to === undefined ? (
                <th scope="row">{linesOf(first)}</th>
              ) : (
                <th scope="row" class="cell-tank">
                  <Link to={to} {...data}>
                    {isTwo(first) ? first[0] : first}
                  </Link>
                  {isTwo(first) && <span class="second">{first[1]}</span>}
                </th>
              )}
              {others.map((cell, i) => (
                <td key={columns[i + 1]?.[0]}>{linesOf(cell)}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const isTwo = (cell: Cell) => Array.isArray(cell);
const linesOf = (cell: Cell) => (isTwo(cell) ? <TwoLines first={cell[0]} second={cell[1]} /> : cell);

interface HeadProps {
  readonly columns: readonly (readonly [name: string, width: string, ...unknown[]])[];
}

export function Head({ columns }: HeadProps) {
  return (
    <thead>
      <tr>
        {columns.map(([column, width]) => (
          <th key={column} scope="col" style={{ width }}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface Props<Item> extends Omit<TableProps<Item>, 'caption' | 'items' | 'isBusy'> {
  readonly fresh: Fresh<Pick<List<Item>, 'data' | 'page' | 'total_pages' | 'total_items'>>;
  readonly title: string;
  /** Whether it is a part of a view, with a heading and troubles of its own. */
  readonly isPart?: boolean;
  /** How much there is, in words; undefined: the list is short enough to see. */
  readonly said: ((total: number) => string) | undefined;
  readonly none?: InsteadProps;
  /** Between the heading and the table. */
  readonly above?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Listing<Item>(props: Props<Item>) {
  const { fresh, title, isPart = false, said, none, above, children, ...table } = props;
  const { data: list, isPrevious, trouble } = fresh;
  return (
    <section class={isPrevious ? 'results results-previous' : 'results'} aria-label={title}>
      {isPart && (
        <header class="view-head">
          <h2>{title}</h2>
          <AsOf fresh={fresh} />
        </header>
      )}
      {isPart && <TroubleBanner of={[fresh]} />}
      {above}
      {said && (
        <Summary
          list={list}
          said={list ? words.newestFirst(said(list.total_items)) : trouble && words.notKnown}
        />
      )}
      {none && list?.data.length === 0 && !isPrevious && <Instead {...none} />}
      <Table {...table} caption={title} items={list?.data} isBusy={isPrevious} />
      {said && list && <Pager list={list} label={words.page.pagesAgain} />}
      {children}
    </section>
  );
}

type Pages = Pick<List<unknown>, 'page' | 'total_pages'>;

interface SummaryProps {
  /** Undefined while it is on its way. */
  readonly list: Pages | undefined;
  readonly said: string | undefined;
  readonly children?: ComponentChildren;
}

/** Above a list: how much was found, and the way to its other pages. */
export function Summary({ list, said, children }: SummaryProps) {
  return (
    <div class="summary">
      <p role="status">{said ?? words.loading}</p>
      {children}
      {list !== undefined && <Pager list={list} label={words.page.pages} />}
    </div>
  );
}

interface PagerProps {
  readonly list: Pages;
  readonly label: string;
}

/** Which of the pages is shown, and the way to the others. */
export function Pager({ list: { page, total_pages: pages }, label }: PagerProps) {
  const { route } = usePage();
  if (pages <= 1) return null;
  const step = (to: number, text: string) =>
    to < 1 || to > pages ? (
      <span class="pager-end">{text}</span>
    ) : (
      <Link to={{ ...route, page: to }}>{text}</Link>
    );
  return (
    <nav class="pager" aria-label={label}>
      {step(page - 1, words.page.previous)}
      <span>{words.page.pageOf(page, pages)}</span>
      {step(page + 1, words.page.next)}
    </nav>
  );
}
