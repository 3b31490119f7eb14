// The formats in which readings are sent, and @SentFormat(), that of a request.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { BodyRules } from '../../common/bodies/body.interceptor.js';
import { parseContentType } from '../../common/bodies/content-type.js';
import { ApiOptional } from '../../common/openapi/properties.js';
import { IsFlag } from '../../common/validation/parameter-rules.js';
import { lineTooLong, tooManyBytes } from './problems.js';

export type BodyFormat = 'json' | 'ndjson' | 'csv';

const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['text/csv', 'csv'],
]);

/** Much longer than any reading. */
const LINE = { maxBytes: 65_536, tooLong: lineTooLong(65_536) };

export class IngestQuery {
  @ApiOptional(
    'With `true`, nothing is stored if any reading is refused.',
    { enum: ['true', 'false'], default: 'false' },
    IsFlag(),
  )
  atomic: boolean = false;
}

/** Handed on as a text: a batch has thousands of readings, which are checked one by one. */
export const READINGS_BODY: BodyRules = {
  content: 'the readings',
  types: [...FORMATS.keys()],
  acceptedIn: 'Accept-Post',
  mayBeGzip: true,
  maxBytes: ({ ingest }) => ingest.maxBodyBytes,
  tooLarge: tooManyBytes,
  line: ({ headers }) => (findBodyFormat(headers['content-type']) === 'json' ? undefined : LINE),
  parse: (text) => text,
  parameters: IngestQuery,
};

/** Of a body that was taken. */
export function findBodyFormat(contentType: string | undefined): BodyFormat {
  return FORMATS.get(parseContentType(contentType)?.type ?? '') ?? 'json';
}

export const SentFormat = createParamDecorator((_: unknown, context: ExecutionContext): BodyFormat => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  return findBodyFormat(headers['content-type']);
});
