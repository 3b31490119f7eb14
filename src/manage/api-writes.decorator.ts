// Operations that write one object, in the OpenAPI document: their bodies and their answers.
import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Scope } from '../auth/scope.js';
import { problemExample } from '../openapi/errors.js';
import { ApiSentBody } from '../openapi/sent-body.js';
import { ApiProblem, ETAG, PROBLEM_REF, refusals, REQUEST_ID } from '../openapi/responses.decorator.js';
import { notFound, unsupportedMediaType, type Problem } from '../problems/problem.js';
import { ConflictResponse, InvalidFieldsResponse } from './dto/problems.response.js';
import { fieldFault, invalidFields } from '../validation/field-mistakes.js';
import { OBJECT_TOO_LARGE } from './object-body.js';
import { preconditionFailed } from './problems.js';

export interface DescribedWrite {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** What it is called. */
  readonly object: string;
  /** In the address. The demo has such an object, so that the operation can be tried out. */
  readonly exampleId?: string;
  readonly scope: Scope;
  readonly response: Type;
  /** What a DELETE does not have. */
  readonly body?: { readonly type: Type; readonly example: object };
  readonly conflicts?: { readonly description: string; readonly example: Problem };
}

const HEADERS = { ETag: ETAG, 'X-Request-Id': REQUEST_ID };
const LOCATION = {
  Location: { description: 'The address of the new object.', schema: { type: 'string' as const } },
};

const INVALID = problemExample(
  invalidFields([
    fieldFault('name', 'is missing'),
    { pointer: '/colour', reason: 'unknown field', detail: '"colour"' },
  ]),
);

export function ApiCreation(write: DescribedWrite): MethodDecorator {
  return applyDecorators(
    ...common(write, ['application/json']),
    answer(201, `The new ${write.object}.`, write.response, LOCATION),
  );
}

export function ApiReplacement(write: DescribedWrite): MethodDecorator {
  const { object, response } = write;
  return applyDecorators(
    ...common(write, ['application/json']),
    ...ofOne(write),
    ApiHeader(IF_NONE_MATCH),
    answer(200, `The ${object}, replaced or as it was.`, response),
    answer(201, `The ${object}, which is new or restored.`, response),
  );
}

export function ApiMerge(write: DescribedWrite): MethodDecorator {
  const { object, response } = write;
  return applyDecorators(
    ...common(write, ['application/json', 'application/merge-patch+json']),
    ...ofOne(write),
    answer(200, `The ${object}, changed or as it was.`, response),
    ApiProblem(
      404,
      'There is no such object for this key.',
      {},
      notFound(`There is no ${object} with this id.`),
    ),
  );
}

export function ApiDeletion(write: DescribedWrite): MethodDecorator {
  const { object, response } = write;
  return applyDecorators(
    ...common(write, []),
    ...ofOne(write),
    answer(200, `The ${object} is deleted.`, response),
    ApiProblem(
      404,
      'There is no such object for this key.',
      {},
      notFound(`There is no ${object} with this id.`),
    ),
  );
}

function common({ conflicts, ...write }: DescribedWrite, types: readonly string[]) {
  const { operationId, summary, description, scope } = write;
  const needs = `Needs a key with the scope \`${scope}\`.`;
  return [
    ApiExtraModels(
      InvalidFieldsResponse,
      ConflictResponse,
      ...(write.body === undefined ? [] : [write.body.type]),
    ),
    ApiOperation({ operationId, summary, description: `${description} ${needs}` }),
    ...bodyOf(write, types),
    ...(types.length === 0 ? [ApiProblem(400, 'The address is not well formed.')] : ofBody(types)),
    ...(conflicts === undefined ? [] : [conflictsOf(conflicts)]),
    ...refusals(scope),
  ];
}

function bodyOf({ body }: Pick<DescribedWrite, 'body'>, [, ...others]: readonly string[]): MethodDecorator[] {
  if (body === undefined) return [];
  const content = {
    schema: { $ref: getSchemaPath(body.type) },
    examples: { example: { summary: 'Example', value: body.example } },
  };
  return [ApiSentBody(content, Object.fromEntries(others.map((type) => [type, content])))];
}

function ofBody(types: readonly string[]) {
  return [
    ApiResponse({
      status: 400,
      description:
        'Fields are not valid (`invalid_fields`), or the body (`malformed_body`), the address or a parameter is not. Nothing was changed.',
      headers: { 'X-Request-Id': REQUEST_ID },
      content: {
        'application/problem+json': {
          schema: { anyOf: [{ $ref: getSchemaPath(InvalidFieldsResponse) }, PROBLEM_REF] },
          example: INVALID,
        },
      },
    }),
    ApiProblem(408, 'The body took too long to arrive.'),
    ApiProblem(413, 'The body is too large.', {}, OBJECT_TOO_LARGE),
    ApiProblem(
      415,
      'The body is of another type, charset or encoding.',
      {},
      unsupportedMediaType(`Send one JSON object with the Content-Type ${types.join(' or ')}.`, {}),
    ),
  ];
}

function conflictsOf({ description, example }: NonNullable<DescribedWrite['conflicts']>) {
  return ApiResponse({
    status: 409,
    description,
    headers: { 'X-Request-Id': REQUEST_ID },
    content: {
      'application/problem+json': {
        schema: { $ref: getSchemaPath(ConflictResponse) },
        example: problemExample(example),
      },
    },
  });
}

const TEXT = { required: false, schema: { type: 'string' as const } };
const IF_MATCH = {
  name: 'If-Match',
  ...TEXT,
  description:
    'Only if the object still has this `ETag`, or `*`: only if it is there and not deleted. Otherwise 412.',
};
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  ...TEXT,
  description: '`*`: only if there is no such object, or a deleted one. Otherwise 412.',
};

function ofOne({ object, exampleId = `example-${object}` }: DescribedWrite) {
  return [
    ApiParam({
      name: 'id',
      description: `Identifier of the ${object}.`,
      schema: { type: 'string', minLength: 1, maxLength: 255, example: exampleId },
    }),
    ApiHeader(IF_MATCH),
    ApiProblem(412, 'The object is not as the precondition wants it.', {}, preconditionFailed(object)),
  ];
}

function answer(status: 200 | 201, description: string, type: Type, headers = {}) {
  return ApiResponse({ status, description, type, headers: { ...HEADERS, ...headers } });
}
