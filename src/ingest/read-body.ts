// Reads a body into memory, bounded in size (of what it inflates to), in time, and in what all bodies together may hold.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { createGunzip, type Gunzip } from 'node:zlib';
import { badRequest, requestTimeout, type Problem } from '../problems/problem.js';
import type { BodyShare } from './body-budget.js';
import { bodyTooLarge } from './problems.js';

export interface BodyBounds {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** A gzip is a little longer than what it holds when nothing in it repeats. */
const GZIP_SLACK = 1 << 16;

export async function readText(
  request: IncomingMessage,
  isGzip: boolean,
  bounds: BodyBounds,
  share: BodyShare,
): Promise<string> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    new BodyReader(request, isGzip, bounds, share, resolve, reject).start();
  });
  if (!isUtf8(bytes)) throw badRequest('malformed_body', 'The body is not UTF-8.');
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasBom ? 3 : 0);
}

/** Not a pipeline: that would destroy the request, and with it the connection on which the refusal is told. */
class BodyReader {
  private readonly gunzip: Gunzip | undefined;
  private readonly maxSent: number;
  private readonly chunks: Buffer[] = [];
  private sentBytes = 0;
  private keptBytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: IncomingMessage,
    isGzip: boolean,
    private readonly bounds: BodyBounds,
    private readonly share: BodyShare,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (reason: Problem) => void,
  ) {
    this.gunzip = isGzip ? createGunzip() : undefined;
    this.maxSent = bounds.maxBytes + (isGzip ? GZIP_SLACK : 0);
  }

  start(): void {
    const { request, gunzip } = this;
    if (Number(request.headers['content-length'] ?? 0) > this.maxSent) return this.refuseSize();
    this.timer = setTimeout(() => this.refuse(requestTimeout()), this.bounds.timeoutMs);
    request.on('data', this.onSent).on('end', this.onEnd).on('close', this.onLeft).on('error', this.onLeft);
    gunzip?.on('data', this.keep).on('end', this.finish).on('error', this.onBadGzip);
  }

  private readonly onSent = (chunk: Buffer): void => {
    const { gunzip, request } = this;
    this.sentBytes += chunk.length;
    if (this.sentBytes > this.maxSent) return this.refuseSize();
    if (gunzip === undefined) return this.keep(chunk);
    if (gunzip.write(chunk)) return;
    request.pause();
    gunzip.once('drain', () => request.resume());
  };

  private readonly onEnd = (): void => {
    this.request.off('close', this.onLeft);
    if (this.gunzip === undefined) this.finish();
    else this.gunzip.end();
  };

  private readonly keep = (chunk: Buffer): void => {
    this.keptBytes += chunk.length;
    if (this.keptBytes > this.bounds.maxBytes) return this.refuseSize();
    const refusal = this.share.take(chunk.length);
    if (refusal === undefined) this.chunks.push(chunk);
    else this.refuse(refusal);
  };

  private readonly finish = (): void => {
    this.stop();
    this.resolve(Buffer.concat(this.chunks));
  };

  private readonly onBadGzip = (): void =>
    this.refuse(badRequest('malformed_body', 'The body is not a whole gzip.'));

  private readonly onLeft = (): void =>
    this.refuse(badRequest('bad_request', 'The connection ended before the body was complete.'));

  private refuseSize(): void {
    this.refuse(bodyTooLarge(this.bounds.maxBytes));
  }

  private refuse(reason: Problem): void {
    this.stop();
    this.request.resume(); // what still comes is passed over, so that the answer gets through
    this.reject(reason);
  }

  private stop(): void {
    const { request, gunzip } = this;
    clearTimeout(this.timer);
    request
      .off('data', this.onSent)
      .off('end', this.onEnd)
      .off('close', this.onLeft)
      .off('error', this.onLeft);
    gunzip?.removeAllListeners().on('error', () => undefined);
    gunzip?.destroy();
  }
}
