// Names an answer by its content, for If-None-Match. The same tags as Express's own.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export function etagOf(body: string | Buffer): string {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  return `W/"${length.toString(16)}-${hash('sha1', body, 'base64').slice(0, 27)}"`;
}

/** Every `fetch` with an If-None-Match also sends `Cache-Control: no-cache`, which is for caches; Express would compare no tags. */
export function compareTagsAlways({ headers }: IncomingMessage): void {
  if (headers['if-none-match'] !== undefined) delete headers['cache-control'];
}
