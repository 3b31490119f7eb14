// The Link header of a list (RFC 8288): first, prev, next and last page, keeping the caller's other parameters.
import type { Request } from 'express';

/** Clients accept about 16 KB of headers. With a very long parameter there is one link only, or none. */
const MAX_LENGTH = 8_000;
const MAX_LENGTH_OF_ONE = 14_000;

/** Relative to the host, so that links work behind any proxy. */
export function writeLinks(request: Request, current: number, totalPages: number): string | undefined {
  const { path } = request;
  const others = otherParameters(request, 'page');
  const link = (relation: string, page: number) => `<${path}?page=${page}${others}>; rel="${relation}"`;

  const last = Math.max(totalPages, 1);
  const first = link('first', 1);
  // Past the end, the page before is the last one there is.
  const previous = current > 1 ? `, ${link('prev', Math.min(current - 1, last))}` : '';
  const next = current < last ? `, ${link('next', current + 1)}` : '';
  const all = `${first}${previous}${next}, ${link('last', last)}`;
  if (all.length <= MAX_LENGTH) return all;
  const one = next === '' ? first : next.slice(2);
  return one.length <= MAX_LENGTH_OF_ONE ? one : undefined;
}

/** Of a walk; the other parameters are short, or were refused. */
export function linkToNext(request: Request, after: string): string {
  return `<${request.path}?after=${after}${otherParameters(request, 'after')}>; rel="next"`;
}

/** As they were sent. */
function otherParameters({ query }: Request, own: string): string {
  return Object.entries(query)
    .filter(([name]) => name !== own && name !== 'format')
    .map(([name, value]) => (typeof value === 'string' ? `&${name}=${encodeURIComponent(value)}` : ''))
    .join('');
}
