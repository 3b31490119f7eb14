// The Link header of a list (RFC 8288): first, prev, next and last page, keeping the caller's other parameters.
import type { Page } from './page.js';

/** References are relative to the host, so they hold behind any proxy and repeat nothing the caller claimed about it. */
export function linksOf(page: Page<object>, originalUrl: string): string {
  const mark = originalUrl.indexOf('?');
  const path = mark === -1 ? originalUrl : originalUrl.slice(0, mark);
  let kept = '';
  for (const [name, value] of Object.entries(page.query)) {
    if (name !== 'page' && typeof value === 'string') kept += `&${name}=${encodeURIComponent(value)}`;
  }
  const link = (relation: string, number: number | bigint) =>
    `<${path}?page=${number}${kept}>; rel="${relation}"`;

  const current = page.query.pageNumber;
  const last = Math.max(page.totalPages, 1);
  let links = link('first', 1);
  // Past the end, the page before is the last one there is.
  if (current > 1) links += `, ${link('prev', current > last ? last : Number(current) - 1)}`;
  if (current < last) links += `, ${link('next', Number(current) + 1)}`;
  return `${links}, ${link('last', last)}`;
}
