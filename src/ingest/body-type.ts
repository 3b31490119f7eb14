// The format of a body, by its headers alone: others are not even read.
import type { IncomingHttpHeaders } from 'node:http';
import { contentTypeOf, encodingOf } from '../bodies/content-type.js';
import { unsupportedMediaType } from '../problems/problem.js';

export type BodyFormat = 'json' | 'ndjson' | 'csv';

const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['text/csv', 'csv'],
]);

export const ACCEPT_POST = [...FORMATS.keys()].join(', ');

export function bodyTypeOf(headers: IncomingHttpHeaders): { format: BodyFormat; isGzip: boolean } {
  return { format: formatOf(headers['content-type']), isGzip: isGzip(headers['content-encoding']) };
}

function formatOf(contentType: string | undefined): BodyFormat {
  const known = contentTypeOf(contentType);
  const format = FORMATS.get(known?.type ?? '');
  if (known === undefined || format === undefined) {
    const detail =
      contentType === undefined
        ? `Add a Content-Type: ${ACCEPT_POST}.`
        : `Send the readings as one of ${ACCEPT_POST}.`;
    throw unsupportedMediaType(detail, { 'Accept-Post': ACCEPT_POST });
  }
  if (!known.isUtf8) {
    throw unsupportedMediaType('Send the readings in UTF-8.', { 'Accept-Post': ACCEPT_POST });
  }
  return format;
}

function isGzip(contentEncoding?: string): boolean {
  const encoding = encodingOf(contentEncoding);
  if (encoding === 'identity') return false;
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  const detail = 'Send the body as it is, or with Content-Encoding: gzip.';
  throw unsupportedMediaType(detail, { 'Accept-Encoding': 'gzip' });
}
