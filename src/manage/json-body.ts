// The body of a request that writes one object: its type, by the headers alone, and the JSON object in it.
import type { IncomingHttpHeaders } from 'node:http';
import { contentTypeOf, encodingOf } from '../bodies/content-type.js';
import { parseJson } from '../bodies/parse-json.js';
import { isRecord, type JsonRecord } from '../fields/resource.js';
import { badRequest, Problem, unsupportedMediaType } from '../problems/problem.js';

export type WritingMethod = 'POST' | 'PUT' | 'PATCH';

const TYPES: Record<WritingMethod, readonly string[]> = {
  POST: ['application/json'],
  PUT: ['application/json'],
  PATCH: ['application/json', 'application/merge-patch+json'],
};

/** Which header lists what is accepted. */
const ACCEPTING = { POST: 'Accept-Post', PUT: 'Accept', PATCH: 'Accept-Patch' } as const;

export const MAX_OBJECT_BYTES = 16_384;

export const OBJECT_TOO_LARGE = new Problem({
  status: 413,
  code: 'body_too_large',
  detail: `A body may have at most ${MAX_OBJECT_BYTES} bytes. Nothing was changed.`,
});

export function checkBodyType(method: WritingMethod, headers: IncomingHttpHeaders): void {
  const types = TYPES[method];
  const accepted = { [ACCEPTING[method]]: types.join(', ') };
  const sent = contentTypeOf(headers['content-type']);
  if (sent === undefined || !types.includes(sent.type))
    throw unsupportedMediaType(`Send one JSON object with the Content-Type ${types.join(' or ')}.`, accepted);
  if (!sent.isUtf8) throw unsupportedMediaType('Send the object in UTF-8.', accepted);
  if (encodingOf(headers['content-encoding']) !== 'identity')
    throw unsupportedMediaType('Send the body as it is, without Content-Encoding.', {
      'Accept-Encoding': 'identity',
    });
}

/** More than a table of 200 points has. */
const MAX_OBJECT_BRACKETS = 1_000;

export function parseRecord(text: string, maxBrackets = MAX_OBJECT_BRACKETS): JsonRecord {
  const body = parseJson(text, maxBrackets);
  if (!isRecord(body)) throw badRequest('malformed_body', 'The body must be one JSON object.');
  return body;
}
