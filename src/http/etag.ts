// Names an answer by its content, for If-None-Match. The same tags as Express's own, from one call of the hash.
import { hash } from 'node:crypto';

export function etagOf(body: string | Buffer): string {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  return `W/"${length.toString(16)}-${hash('sha1', body, 'base64').slice(0, 27)}"`;
}
