// Answers of 1 kB and more are compressed for those who ask for it, by Express's own middleware. It wraps every response it is
// given, so it is given only those whose caller accepts compression.
import compression from 'compression';
import type { Request, Response } from 'express';
import onHeaders from 'on-headers';

declare global {
  namespace Express {
    interface Response {
      /** It is compressed already, or chosen to be sent as it is. */
      isEncoded?: boolean;
    }
  }
}

export const THRESHOLD_BYTES = 1024;

/** Texts that the middleware does not know. */
const OTHER_TEXTS = /^application\/(x-ndjson|jsonl)/;

const compress = compression({
  threshold: THRESHOLD_BYTES,
  filter: (request: Request, response: Response) =>
    response.isEncoded !== true &&
    (compression.filter(request, response) || OTHER_TEXTS.test(String(response.getHeader('Content-Type')))),
});

/** ETags are weak, so they do not depend on the encoding. */
export function compressFor(request: Request, response: Response): void {
  response.setHeader('Vary', 'Accept-Encoding');
  if (request.headers['accept-encoding'] === undefined) return;
  if (request.method !== 'HEAD') {
    compress(request, response, () => undefined);
    return;
  }
  // The length of the compressed answer is not known without making it, and no other length may be sent.
  onHeaders(response, () => {
    if (Number(response.getHeader('Content-Length')) >= THRESHOLD_BYTES)
      response.removeHeader('Content-Length');
  });
}
