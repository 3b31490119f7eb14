// The format of a body, by its headers alone: others are not even read.
import type { IncomingHttpHeaders } from 'node:http';
import { headerParts } from '../formats/header-parts.js';
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

/** A parameter, whose value may be quoted. Every character can be matched in one way only. */
const PARAMETER = /^([^\s="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))$/;
const UTF_8 = /^utf-?8$/i;

function formatOf(contentType: string | undefined): BodyFormat {
  const [name = '', ...parameters] = headerParts(contentType ?? '', ';');
  const matches = parameters.filter((part) => part !== '').map((part) => PARAMETER.exec(part));
  const format = FORMATS.get(name.toLowerCase());
  if (format === undefined || matches.includes(null)) {
    const detail =
      contentType === undefined
        ? `Add a Content-Type: ${ACCEPT_POST}.`
        : `Send the readings as one of ${ACCEPT_POST}.`;
    throw unsupportedMediaType(detail, { 'Accept-Post': ACCEPT_POST });
  }
  const charsets = matches.filter((match) => match?.[1]?.toLowerCase() === 'charset');
  if (!charsets.every((match) => UTF_8.test(match?.[2] ?? match?.[3] ?? ''))) {
    throw unsupportedMediaType('Send the readings in UTF-8.', { 'Accept-Post': ACCEPT_POST });
  }
  return format;
}

function isGzip(contentEncoding = ''): boolean {
  const encoding = contentEncoding.trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return false;
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  const detail = 'Send the body as it is, or with Content-Encoding: gzip.';
  throw unsupportedMediaType(detail, { 'Accept-Encoding': 'gzip' });
}
