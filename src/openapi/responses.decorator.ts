// What each kind of operation may answer, described once for the OpenAPI document.
import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiParam,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ProblemResponse } from '../problems/dto/problem.response.js';

const PROBLEM_BODY = { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } };

const REQUEST_ID = { description: 'The id of this request.', schema: { type: 'string' as const } };
const HEADERS = {
  ETag: {
    description: 'Names this exact answer; send it back in `If-None-Match` to get 304 when nothing changed.',
    schema: { type: 'string' as const },
  },
  'X-Request-Id': REQUEST_ID,
};
const LINK = {
  description: 'The first, prev, next and last page (RFC 8288), keeping the other parameters.',
  schema: { type: 'string' as const },
};
const RETRY_AFTER = {
  description: 'Seconds to wait before trying again.',
  schema: { type: 'integer' as const },
};

export function ApiProblem(status: number, description: string, headers = {}) {
  return ApiResponse({
    status,
    description,
    content: PROBLEM_BODY,
    headers: { 'X-Request-Id': REQUEST_ID, ...headers },
  });
}

/** Nothing else a client sends is refused on every operation. */
export const HEADERS_TOO_LARGE = ApiProblem(431, 'The address and the headers together are too long.');

const failures = () => [
  ApiResponse({
    status: 304,
    description: 'Nothing changed since the answer named in `If-None-Match`.',
    headers: HEADERS,
  }),
  ApiProblem(401, 'The API key is missing, unknown, expired or revoked.', {
    'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  }),
  ApiProblem(403, 'The API key lacks the scope `read`.'),
  ApiProblem(404, 'There is no such object for this key.'),
  ApiProblem(413, 'The request body is too large.'),
  HEADERS_TOO_LARGE,
  ApiProblem(429, 'Too many requests.', { 'Retry-After': RETRY_AFTER }),
  ApiProblem(500, 'A defect of the service; quote the request_id when you report it.'),
  ApiProblem(503, 'The service cannot answer right now.', { 'Retry-After': RETRY_AFTER }),
];

/** An operation that lists objects. */
export function ApiList(queryType: Type, responseType: Type, description: string): MethodDecorator {
  return applyDecorators(
    ApiQuery({ type: queryType }),
    ApiOkResponse({ type: responseType, description, headers: { ...HEADERS, Link: LINK } }),
    ApiProblem(400, 'A parameter cannot be used; every bad one is named.'),
    ...failures(),
  );
}

/** An operation that retrieves one object, which may have been deleted. */
export function ApiRetrieval(responseType: Type, deletedType: Type, description: string): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(responseType, deletedType),
    ApiOkResponse({
      description,
      headers: HEADERS,
      schema: { oneOf: [{ $ref: getSchemaPath(responseType) }, { $ref: getSchemaPath(deletedType) }] },
    }),
    ApiProblem(400, 'The address is not well formed.'),
    ...failures(),
  );
}

export function ApiId(kind: string, example: string): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: `Identifier of the ${kind}.`,
    schema: { type: 'string' },
    example,
  });
}
