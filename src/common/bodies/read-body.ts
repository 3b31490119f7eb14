// Reads a body into memory, bounded in size (of what it inflates to), in time, and in what all bodies together may hold.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { badRequest, requestTimeout, type Problem } from '../problems/problem.js';
import type { BodyShare } from './body-budget.js';

export interface BodyBounds {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** What a longer one is answered with. */
  readonly tooLarge: Problem;
}

/** A gzip is a little longer than what it holds when nothing in it repeats. */
const GZIP_SLACK = 1 << 16;

/** Readings that differ at all shrink to a fiftieth at most: what grows more is sent to be costly. A little may. */
const MAX_GROWTH = 100;
const MAY_GROW_TO = 1 << 16;

export async function readText(
  request: IncomingMessage,
  isGzip: boolean,
  bounds: BodyBounds,
  share: BodyShare,
): Promise<string> {
  const bytes = await readBytes(request, isGzip, bounds, share);
  if (!isUtf8(bytes)) throw badRequest('malformed_body', 'The body is not UTF-8.');
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasBom ? 3 : 0);
}

/** Not a pipeline: that would destroy the request, and with it the connection that the problem is sent on. */
function readBytes(
  request: IncomingMessage,
  isGzip: boolean,
  { maxBytes, timeoutMs, tooLarge }: BodyBounds,
  share: BodyShare,
): Promise<Buffer> {
  const gunzip = isGzip ? createGunzip() : undefined;
  const maxSent = maxBytes + (isGzip ? GZIP_SLACK : 0);
  const chunks: Buffer[] = [];
  let sentBytes = 0;
  let keptBytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onAborted).off('error', onAborted);
      gunzip?.removeAllListeners().on('error', () => undefined);
      gunzip?.destroy();
    };
    const refuse = (problem: Problem): void => {
      stop();
      request.resume(); // discards the rest, so that the client reads the answer
      reject(problem);
    };
    const finish = (): void => {
      if (gunzip !== undefined && keptBytes > Math.max(MAY_GROW_TO, MAX_GROWTH * sentBytes))
        return refuse(growsTooMuch());
      stop();
      resolve(Buffer.concat(chunks));
    };
    const keep = (chunk: Buffer): void => {
      keptBytes += chunk.length;
      if (keptBytes > maxBytes) return refuse(tooLarge);
      const problem = share.take(chunk.length);
      if (problem === undefined) chunks.push(chunk);
      else refuse(problem);
    };
    const onData = (chunk: Buffer): void => {
      sentBytes += chunk.length;
      if (sentBytes > maxSent) return refuse(tooLarge);
      if (gunzip === undefined) return keep(chunk);
      if (gunzip.write(chunk)) return;
      request.pause();
      gunzip.once('drain', () => request.resume());
    };
    const onEnd = (): void => {
      request.off('close', onAborted);
      if (gunzip === undefined) finish();
      else gunzip.end();
    };
    const onAborted = (): void =>
      refuse(badRequest('bad_request', 'The connection ended before the body was complete.'));
    const onBadGzip = (): void => refuse(badRequest('malformed_body', 'The body is not a whole gzip.'));

    const timer = setTimeout(() => refuse(requestTimeout()), timeoutMs);
    if (Number(request.headers['content-length'] ?? 0) > maxSent) return refuse(tooLarge);
    request.on('data', onData).on('end', onEnd).on('close', onAborted).on('error', onAborted);
    gunzip?.on('data', keep).on('end', finish).on('error', onBadGzip);
  });
}

function growsTooMuch(): Problem {
  const detail = `The gzip grows to more than ${MAX_GROWTH} times what was sent; send the body as it is, or each reading once.`;
  return badRequest('malformed_body', detail);
}
