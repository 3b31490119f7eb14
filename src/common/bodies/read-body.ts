// Reads a body into memory, bounded in size (of what it inflates to), in the length of its lines and in time.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { badRequest, requestTimeout, type Problem } from '../problems/problem.js';

export interface LineBounds {
  readonly maxBytes: number;
  /** What a body with a longer one is answered with. */
  readonly tooLong: Problem;
}

export interface BodyBounds {
  readonly isGzip: boolean;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** What a longer one is answered with. */
  readonly tooLarge: () => Problem;
  readonly line?: LineBounds | undefined;
}

/** A gzip is a little longer than what it holds when nothing in it repeats. */
const GZIP_SLACK = 1 << 16;

/** Readings that differ at all shrink to a fiftieth at most: what grows more is sent to be costly. A little may. */
const MAX_GROWTH = 100;
const MAY_GROW_TO = 1 << 16;

/** Between two parts of a body that was refused. */
const DISCARD_MS = 50;

/** What of it is in memory at most, by what its headers say. Nothing of one that is refused for its size. */
export function mostBytes({ headers }: IncomingMessage, { isGzip, maxBytes }: BodyBounds): number {
  const declared = headers['content-length'];
  if (declared === undefined) return maxBytes;
  const sent = Number(declared);
  if (sent > maxBytes + (isGzip ? GZIP_SLACK : 0)) return 0;
  return isGzip ? Math.min(maxBytes, Math.max(MAY_GROW_TO, MAX_GROWTH * sent)) : sent;
}

export async function readText(request: IncomingMessage, bounds: BodyBounds): Promise<string> {
  const bytes = await readBytes(request, bounds);
  if (!isUtf8(bytes)) throw badRequest('malformed_body', 'The body is not UTF-8.');
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasBom ? 3 : 0);
}

/** Not a pipeline: that would destroy the request, and with it the connection that the problem is sent on. */
function readBytes(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  const { isGzip, maxBytes, timeoutMs, tooLarge, line } = bounds;
  const gunzip = isGzip ? createGunzip() : undefined;
  const maxSent = maxBytes + (isGzip ? GZIP_SLACK : 0);
  const declared = Number(request.headers['content-length'] ?? 0);
  const maxKept = mostBytes(request, bounds);
  const chunks: Buffer[] = [];
  let lineBytes = 0;
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
      request.on('data', discard).resume(); // so that the client reads the answer
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
      if (keptBytes > maxBytes) return refuse(tooLarge());
      if (line !== undefined) {
        const newline = chunk.indexOf('\n');
        lineBytes += newline < 0 ? chunk.length : newline;
        if (lineBytes > line.maxBytes) return refuse(line.tooLong);
        if (newline >= 0) lineBytes = chunk.length - 1 - chunk.lastIndexOf('\n');
      }
      if (keptBytes <= maxKept) chunks.push(chunk); // what grows more is refused when its size is known
    };
    const onData = (chunk: Buffer): void => {
      sentBytes += chunk.length;
      if (sentBytes > maxSent) return refuse(tooLarge());
      if (gunzip?.write(chunk) === false) {
        request.pause();
        gunzip.once('drain', () => request.resume());
        return;
      }
      // One part a turn of the event loop: a socket that is read as fast as it fills holds up all others.
      if (sentBytes !== declared) pauseUntil(request, setImmediate);
      if (gunzip === undefined) keep(chunk);
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
    if (declared > maxSent) return refuse(tooLarge());
    request.on('data', onData).on('end', onEnd).on('close', onAborted).on('error', onAborted);
    gunzip?.on('data', keep).on('end', finish).on('error', onBadGzip);
  });
}

function pauseUntil(request: IncomingMessage, later: (resume: () => void) => unknown): void {
  request.pause();
  later(() => request.resume());
}

/** Nobody is in a hurry for it. */
function discard(this: IncomingMessage): void {
  pauseUntil(this, (resume) => setTimeout(resume, DISCARD_MS));
}

function growsTooMuch(): Problem {
  const detail = `The gzip grows to more than ${MAX_GROWTH} times what was sent; send the body as it is, or each reading once.`;
  return badRequest('malformed_body', detail);
}
