// The body of a request that writes one object: JSON, small, with the id of its address.
import type { Request } from 'express';
import type { BodyRules } from '../bodies/body.interceptor.js';
import { parseJson } from '../bodies/parse-json.js';
import { isRecord, type JsonRecord } from '../bodies/record.js';
import { badRequest, Problem } from '../problems/problem.js';
import { AddressId } from '../validation/own-fields.js';

const MAX_OBJECT_BYTES = 16_384;

/** More than a table of 200 points has. */
const MAX_OBJECT_BRACKETS = 1_000;

export const OBJECT_TOO_LARGE = new Problem({
  status: 413,
  code: 'body_too_large',
  detail: `A body may have at most ${MAX_OBJECT_BYTES} bytes. Nothing was changed.`,
});

const JSON_OBJECT = {
  content: 'one JSON object',
  maxBytes: () => MAX_OBJECT_BYTES,
  tooLarge: () => OBJECT_TOO_LARGE,
  parse: (text: string, { params: { id }, method }: Request): JsonRecord => {
    const body = parseRecord(text);
    if (typeof id !== 'string') return body;
    return { ...body, id: new AddressId(id, body['id'], method === 'PUT') };
  },
} satisfies Partial<BodyRules>;

export const CREATED_OBJECT: BodyRules = {
  ...JSON_OBJECT,
  types: ['application/json'],
  acceptedIn: 'Accept-Post',
};
export const PUT_OBJECT: BodyRules = { ...JSON_OBJECT, types: ['application/json'], acceptedIn: 'Accept' };
export const MERGED_OBJECT: BodyRules = {
  ...JSON_OBJECT,
  types: ['application/json', 'application/merge-patch+json'],
  acceptedIn: 'Accept-Patch',
};

export function parseRecord(text: string, maxBrackets = MAX_OBJECT_BRACKETS): JsonRecord {
  const body = parseJson(text, maxBrackets);
  if (!isRecord(body)) throw badRequest('malformed_body', 'The body must be one JSON object.');
  return body;
}
