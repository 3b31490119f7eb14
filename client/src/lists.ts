// Lists: one page, or all of it, walked by the `created_at` of the last item, so that nothing is skipped or repeated while others write.
import { askForJson, askForLines, type Lines } from './json.js';
import type { RequestOptions, Transport } from './transport.js';
import type { List } from './types.js';

/** What every list that is walked by time has. */
export interface ListQuery {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly created_at_gte?: string | undefined;
  readonly created_at_lte?: string | undefined;
}

/** Of a walk: all but the page. `size` is how many are asked for at once, up to 10,000; 1,000 unless given. */
export type WalkQuery<Query> = Omit<Query, 'page'>;

const USUAL_SIZE = 1_000;
const LARGEST_SIZE = 10_000;

export function pageOf<T>(
  transport: Transport,
  path: string,
  query: object,
  options: RequestOptions,
): Promise<List<T>> {
  return askForJson<List<T>>(transport, { ...options, path, query, isRepeatable: true });
}

/** Newest first. `idOf` names an item among those of the same instant. */
export async function* walk<T extends { readonly created_at: string }>(
  transport: Transport,
  path: string,
  query: WalkQuery<ListQuery>,
  options: RequestOptions,
  idOf: (item: T) => string,
): AsyncGenerator<T, void, undefined> {
  const ask = (part: ListQuery) =>
    askForLines<T>(transport, { ...options, path, query: { ...query, ...part }, isRepeatable: true });
  const size = query.size ?? USUAL_SIZE;
  let until = query.created_at_lte;
  /** Those at `until` that have been given out. The next page begins with them again. */
  let seen = new Set<string>();
  for (;;) {
    const lines = await ask({ size, created_at_lte: until });
    const { items } = lines;
    yield* unseen(items, seen, idOf, options.signal);
    const last = items.at(-1)?.created_at;
    if (last === undefined || isLast(lines, 1, size)) return;
    if (last !== until) {
      until = last;
      seen = new Set(items.filter((item) => item.created_at === last).map(idOf));
      continue;
    }
    // All of the page is of one instant, as after an import: the next page would be the same.
    const instant = { created_at_gte: last, created_at_lte: last, size: LARGEST_SIZE };
    yield* passes((page) => ask({ ...instant, page }), seen, idOf, options.signal);
    until = new Date(Date.parse(last) - 1).toISOString();
    seen = new Set();
  }
}

/** For a list that cannot be asked for by time. */
export function walkPages<T extends object>(
  transport: Transport,
  path: string,
  query: object,
  options: RequestOptions,
  idOf: (item: T) => string,
): AsyncGenerator<T, void, undefined> {
  const ask = (page: number) => {
    const request = { path, query: { ...query, page, size: LARGEST_SIZE }, isRepeatable: true };
    return askForLines<T>(transport, { ...options, ...request });
  };
  return passes(ask, new Set(), idOf, options.signal);
}

/** By page number, in pages as large as can be, each item once. Where that takes several, an item may move past the end of one: so until nothing new comes. */
async function* passes<T extends object>(
  ask: (page: number) => Promise<Lines<T>>,
  seen: Set<string>,
  idOf: (item: T) => string,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  for (;;) {
    const before = seen.size;
    let page = 0;
    let lines: Lines<T>;
    do {
      page += 1;
      lines = await ask(page);
      yield* unseen(lines.items, seen, idOf, signal);
    } while (!isLast(lines, page, LARGEST_SIZE));
    if (page === 1 || seen.size === before) return;
  }
}

function isLast({ items, pageCount }: Lines<unknown>, page: number, size: number): boolean {
  return pageCount === undefined ? items.length < size : page >= pageCount;
}

/** Also between the items of a page an abort ends the walk. */
function* unseen<T>(
  items: readonly T[],
  seen: Set<string>,
  idOf: (item: T) => string,
  signal: AbortSignal | undefined,
): Generator<T, void, undefined> {
  for (const item of items) {
    signal?.throwIfAborted();
    const id = idOf(item);
    if (seen.has(id)) continue;
    seen.add(id);
    yield item;
  }
}
