// The formats in which readings are sent.
import type { BodyRules } from '../bodies/body.interceptor.js';
import { contentTypeOf } from '../bodies/content-type.js';
import { IngestQuery } from './dto/ingest.query.js';
import { bodyTooLarge } from './problems.js';

export type BodyFormat = 'json' | 'ndjson' | 'csv';

const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['text/csv', 'csv'],
]);

/** Handed on as a text: a batch has thousands of readings, which are checked one by one. */
export const READINGS_BODY: BodyRules = {
  content: 'the readings',
  types: [...FORMATS.keys()],
  acceptedIn: 'Accept-Post',
  mayBeGzip: true,
  maxBytes: ({ ingest }) => ingest.maxBodyBytes,
  tooLarge: bodyTooLarge,
  parse: (text) => text,
  parameters: IngestQuery,
};

/** Of a body that was taken. */
export function formatOf(contentType: string): BodyFormat {
  return FORMATS.get(contentTypeOf(contentType)?.type ?? '') ?? 'json';
}
