// A departure from stock, for speed. An object that leaves with a 200 and no Content-Type of its own, which is what nearly every
// answer is, is written as Express's json() would write it, without json()'s and send()'s way there.
import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';

/** False where it is left to Express, and nothing was done. */
export function replyWithJson(response: Response, body: unknown, statusCode: number | undefined): boolean {
  if (typeof body !== 'object' || body === null) return false;
  if (body instanceof StreamableFile || body instanceof Error) return false;
  if ((statusCode ?? response.statusCode) !== 200 || response.hasHeader('Content-Type')) return false;

  response.statusCode = 200;
  const text = JSON.stringify(body);
  const etagOf: EtagFunction | undefined = response.app.get('etag fn');
  if (etagOf !== undefined && isRead(response.req.method) && !response.hasHeader('ETag')) {
    response.setHeader('ETag', etagOf(text, 'utf8'));
  }
  if (isConditional(response.req) && response.req.fresh) {
    response.statusCode = 304;
    response.end();
    return true;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (response.req.method === 'HEAD') response.end();
  else response.end(text);
  return true;
}

/** Express's own look takes long, for the few that have asked before. */
function isConditional({ headers }: Request): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

/** What became of a write is no state that could be asked about again. */
function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** As Express keeps it, made from its `etag` setting. */
type EtagFunction = (body: string, encoding: 'utf8') => string;
