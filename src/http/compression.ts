// Answers of 1 kB and more are compressed for those who ask for it, by Express's own middleware. It wraps every response that it
// is given, so it is given only those whose caller can read a compressed one; the others pay for one header.
import compression from 'compression';
import type { Request, Response } from 'express';
import onHeaders from 'on-headers';

const THRESHOLD_BYTES = 1024;

/** Texts that the middleware does not know to be such. */
const OTHER_TEXTS = /^application\/(x-ndjson|jsonl)/;

const compress = compression({
  threshold: THRESHOLD_BYTES,
  filter: (request, response) =>
    compression.filter(request, response) || OTHER_TEXTS.test(String(response.getHeader('Content-Type'))),
});

/** ETags are weak, so they name what is said and not its encoding: 304s need to know nothing of this. */
export function compressFor(request: Request, response: Response): void {
  response.setHeader('Vary', 'Accept-Encoding');
  if (request.headers['accept-encoding'] === undefined) return;
  if (request.method === 'HEAD') onHeaders(response, () => leaveOutLength(response));
  else compress(request, response, () => undefined);
}

/** How long the compressed answer would be is not known without making it, and no other length may be sent. */
function leaveOutLength(response: Response): void {
  const length = Number(response.getHeader('Content-Length'));
  if (length >= THRESHOLD_BYTES) response.removeHeader('Content-Length');
}
