// Names an answer by its content, and compares such names for If-None-Match.
import type { Express, Request } from 'express';
import { createHash, hash } from 'node:crypto';
import { headerParts } from '../pagination/header-parts.js';

/** The same tags as Express's own. */
export function createEtag(body: string | Buffer): string {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  return writeTag(length, hash('sha1', body, 'base64'));
}

function writeTag(length: number, sha1: string): string {
  return `W/"${length.toString(16)}-${sha1.slice(0, 27)}"`;
}

/** Of what comes in parts. */
export class PartsTag {
  private readonly sha1 = createHash('sha1');
  length = 0;

  add(part: string): void {
    this.sha1.update(part);
    this.length += Buffer.byteLength(part);
  }

  /** `facts`: what the body does not show. */
  etag(facts: string): string {
    return writeTag(this.length, this.sha1.update(facts).digest('base64'));
  }
}

/** Every `fetch` with an If-None-Match also sends `Cache-Control: no-cache`, which is for caches; Express would compare no tags. */
export function compareTagsAlways(app: Express): void {
  Object.defineProperty(app.request, 'fresh', { configurable: true, get: isFresh });
}

function isFresh(this: Request): boolean {
  const tags = this.headers['if-none-match'];
  const response = this.res;
  if (tags === undefined || response === undefined || !['GET', 'HEAD'].includes(this.method)) return false;
  if (response.statusCode < 200 || response.statusCode >= 300) return false;
  if (response.get('Cache-Control') === 'no-store') return false; // nobody can have kept it
  const etag = response.get('ETag');
  return etag !== undefined && (tags.trim() === '*' || namesTag(tags, etag));
}

/** Whether a header lists the tag; compared weakly (RFC 9110). */
export function namesTag(header: string, etag: string): boolean {
  return headerParts(header, ',').some((tag) => opaque(tag) === opaque(etag));
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
