// The body of a request that writes one object: JSON, small, with the id of its address.
import type { Request } from 'express';
import type { BodyRules } from '../bodies/body.interceptor.js';
import { parseJson } from '../bodies/parse-json.js';
import { isRecord, type JsonRecord } from '../bodies/record.js';
import { badRequest, Problem } from '../problems/problem.js';
import { AddressId } from '../validation/read-only-fields.js';

const MAX_OBJECT_BYTES = 16_384;

/** More than a table of 200 points has. */
const MAX_OBJECT_BRACKETS = 1_000;

const MAX_LARGE_BYTES = 1_048_576;
/** More than a run of 200 stops has, with all that an answer shows of each. */
const MAX_LARGE_BRACKETS = 10_000;

const tooLarge = (bytes: number): Problem =>
  new Problem({
    status: 413,
    code: 'body_too_large',
    detail: `A body may have at most ${bytes} bytes. Nothing was changed.`,
  });
export const OBJECT_TOO_LARGE = tooLarge(MAX_OBJECT_BYTES);
export const LARGE_OBJECT_TOO_LARGE = tooLarge(MAX_LARGE_BYTES);

const JSON_OBJECT = {
  content: 'one JSON object',
  maxBytes: () => MAX_OBJECT_BYTES,
  tooLarge: () => OBJECT_TOO_LARGE,
  parse: (text: string, request: Request) => withAddress(parseRecord(text), request),
} satisfies Partial<BodyRules>;

/** A POST goes to no object of its own: what it does with one takes fields that are none of the object's. */
function withAddress(body: JsonRecord, { params: { id }, method }: Request): JsonRecord {
  if (typeof id !== 'string' || method === 'POST') return body;
  return { ...body, id: new AddressId(id, body['id'], method === 'PUT') };
}

/** Of an object with many parts. */
export const LARGE_OBJECT = {
  maxBytes: () => MAX_LARGE_BYTES,
  tooLarge,
  parse: (text, request) => withAddress(parseRecord(text, MAX_LARGE_BRACKETS), request),
} satisfies Partial<BodyRules>;

/** Of a part of one: the id in the address is not its own. */
export const PART_OF_LARGE_OBJECT = {
  ...LARGE_OBJECT,
  parse: (text) => parseRecord(text, MAX_LARGE_BRACKETS),
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

export function parseRecord(text: string, maxBrackets = MAX_OBJECT_BRACKETS, maxDepth?: number): JsonRecord {
  const body = parseJson(text, maxBrackets, maxDepth);
  if (!isRecord(body)) throw badRequest('malformed_body', 'The body must be one JSON object.');
  return body;
}
