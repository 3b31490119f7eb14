// What each kind of operation may answer, described once for the OpenAPI document.
import { applyDecorators, UseInterceptors, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { SCOPES, type Scope } from '../auth/scope.js';
import { ROW_FORMATS } from '../formats/rows.js';
import type { ListType } from '../pagination/dto/list.response.js';
import { FormParametersInterceptor } from '../pagination/form-parameters.interceptor.js';
import { Formatted, Paginated } from '../pagination/pagination.interceptor.js';
import { ProblemResponse } from '../problems/dto/problem.response.js';
import { cursorExpired, insufficientScope, notFound, type Problem } from '../problems/problem.js';
import { problemExample } from './errors.js';

import { rowFormats } from './row-formats.js';

export const PROBLEM_REF = { $ref: getSchemaPath(ProblemResponse) };

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const integer = (description: string) => ({ description, schema: { type: 'integer' as const } });

export const REQUEST_ID = text('The id of this request.');
export const ETAG = text(
  'Names this exact answer; send it back in `If-None-Match` to get 304 when nothing changed, or in `If-Match` to change only this.',
);
const HEADERS = {
  ETag: ETAG,
  'X-Request-Id': REQUEST_ID,
};
const VARY = text('Lists `Accept` and `Accept-Encoding`: the format and the compression depend on them.');
const FORMATTED_HEADERS = {
  ...HEADERS,
  Vary: VARY,
  'X-Total-Items': {
    ...integer('How many items there are in all. In CSV and NDJSON only: in JSON it is `total_items`.'),
    required: false,
  },
};
const LIST_HEADERS = {
  ...FORMATTED_HEADERS,
  Link: {
    ...text(
      'Links to the first, prev, next and last page (RFC 8288), with the other parameters kept. If those are thousands of characters long, only one link, or no header.',
    ),
    required: false,
  },
  'X-Total-Pages': {
    ...integer('How many pages there are. In CSV and NDJSON only: in JSON it is `total_pages`.'),
    required: false,
  },
};
const RETRY_AFTER = integer('Seconds to wait before trying again.');

/** Without an example of its own, it gets one that fits its status. */
export function ApiProblem(status: number, description: string, headers = {}, example?: Problem) {
  const body = { schema: PROBLEM_REF, ...(example !== undefined && { example: problemExample(example) }) };
  return ApiResponse({
    status,
    description,
    content: { 'application/problem+json': body },
    headers: { 'X-Request-Id': REQUEST_ID, ...headers },
  });
}

/** Nothing else a client sends is refused on every operation. */
export const HEADERS_TOO_LARGE = ApiProblem(431, 'The address and the headers together are too long.');

/** What every operation that needs a key may answer. `scope` is null where any key will do. */
export function refusals(scope: Scope | null) {
  const others = SCOPES.filter((other) => other !== scope);
  return [
    ApiProblem(401, 'The API key is missing, unknown, expired or revoked.', {
      'WWW-Authenticate': text('How to authenticate.'),
    }),
    ...(scope === null
      ? []
      : [ApiProblem(403, `The API key lacks the scope \`${scope}\`.`, {}, insufficientScope(scope, others))]),
    HEADERS_TOO_LARGE,
    ApiProblem(429, 'Too many requests.', { 'Retry-After': RETRY_AFTER }),
    ApiProblem(500, 'A defect of the service; quote the request_id when you report it.'),
    ApiProblem(503, 'The service cannot answer right now.', { 'Retry-After': RETRY_AFTER }),
  ];
}

const BAD_PARAMETER = ApiProblem(400, 'A parameter is not valid; every bad one is named, up to 100.');
const BODY_TOO_LARGE = ApiProblem(413, 'The request body is too large.');

/** A read may answer all this, besides what it is asked for. */
const failures = (hasParameters: boolean, scope: Scope | null = 'read') => [
  hasParameters ? BAD_PARAMETER : ApiProblem(400, 'The address is not well formed.'),
  ApiResponse({ status: 304, description: 'Nothing changed since the answer named in `If-None-Match`.' }),
  ...refusals(scope),
  ApiProblem(404, 'There is no such object for this key.'),
  BODY_TOO_LARGE,
];

/** An operation that lists objects, in every format: its `Page` becomes the envelope or rows. `rowType`: for a list whose rows have more fields than its objects. */
export function ApiList(
  listType: ListType,
  description: string,
  rowType: Type = listType.itemType,
): MethodDecorator {
  return applyDecorators(
    Paginated(),
    ApiFormatted(listType, rowType, { description, headers: LIST_HEADERS }),
  );
}

export function ApiSeries(responseType: Type, rowType: Type, description: string): MethodDecorator {
  return applyDecorators(
    Formatted(),
    ApiFormatted(responseType, rowType, { description, headers: FORMATTED_HEADERS }),
  );
}

/** An operation that answers with one object in JSON, and with the rows in it in the other formats. */
function ApiFormatted(
  responseType: Type,
  rowType: Type,
  { description, headers }: { description: string; headers: typeof FORMATTED_HEADERS },
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(responseType, rowType),
    ApiOkResponse({
      description: `${description} With another \`Accept\` also as \`${ROW_FORMATS.join('`, `')}\`.`,
      headers,
      content: { 'application/json': { schema: { $ref: getSchemaPath(responseType) } } },
      ...rowFormats(getSchemaPath(rowType)),
    }),
    ApiProblem(406, 'None of the formats in `Accept` is offered; `detail` lists those that are.', {
      Vary: VARY,
    }),
    ...failures(true),
  );
}

/** An operation that answers with one object, in JSON only. */
export function ApiAnswer(
  responseType: Type,
  description: string,
  { hasParameters = false, scope = 'read' }: { hasParameters?: boolean; scope?: Scope | null } = {},
): MethodDecorator {
  return applyDecorators(
    ...(hasParameters ? [UseInterceptors(FormParametersInterceptor)] : []),
    ApiOkResponse({ type: responseType, description, headers: HEADERS }),
    ...failures(hasParameters, scope),
  );
}

/** The feed, whose answers no cache keeps. */
export function ApiFeed(responseType: Type, description: string): MethodDecorator {
  return applyDecorators(
    UseInterceptors(FormParametersInterceptor),
    ApiOkResponse({ type: responseType, description, headers: { 'X-Request-Id': REQUEST_ID } }),
    BAD_PARAMETER,
    ...refusals('read'),
    ApiProblem(
      410,
      'Changes after this cursor are missing; `detail` says how to begin again.',
      {},
      cursorExpired(),
    ),
    BODY_TOO_LARGE,
  );
}

export function ApiRetrieval(responseType: Type, deletedType: Type, description: string): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(responseType, deletedType),
    ApiOkResponse({
      description,
      headers: HEADERS,
      schema: { oneOf: [{ $ref: getSchemaPath(responseType) }, { $ref: getSchemaPath(deletedType) }] },
    }),
    ...failures(false),
  );
}

/** Stands above what the operation answers, to whose 404 it adds an example that names the kind. */
export function ApiId(kind: string, example: string): MethodDecorator {
  return applyDecorators(
    // Within the schema, where Swagger UI finds it.
    ApiParam({ name: 'id', description: `Identifier of the ${kind}.`, schema: { type: 'string', example } }),
    ApiProblem(404, '', {}, notFound(`There is no ${kind} with this id.`)),
  );
}
