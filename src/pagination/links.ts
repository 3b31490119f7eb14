// The Link header of a list (RFC 8288): first, prev, next and last page, keeping the caller's other parameters.
import type { PageQuery } from './dto/page.query.js';

/** Clients accept about 16 KB of headers. With a very long parameter there is one link only, or none. */
const MAX_LENGTH = 8_000;
const MAX_LENGTH_OF_ONE = 14_000;

/** Relative to the host, so that links work behind any proxy. */
export function linksOf(query: PageQuery, totalPages: number, originalUrl: string): string | undefined {
  const mark = originalUrl.indexOf('?');
  const path = mark === -1 ? originalUrl : originalUrl.slice(0, mark);
  const { otherParameters, pageNumber: current } = query;
  const link = (relation: string, number: number | bigint) =>
    `<${path}?page=${number}${otherParameters}>; rel="${relation}"`;

  const last = Math.max(totalPages, 1);
  const first = link('first', 1);
  // Past the end, the page before is the last one there is.
  const previous = current > 1 ? `, ${link('prev', current > last ? last : Number(current) - 1)}` : '';
  const next = current < last ? `, ${link('next', Number(current) + 1)}` : '';
  const all = `${first}${previous}${next}, ${link('last', last)}`;
  if (all.length <= MAX_LENGTH) return all;
  const one = next === '' ? first : next.slice(2);
  return one.length <= MAX_LENGTH_OF_ONE ? one : undefined;
}
