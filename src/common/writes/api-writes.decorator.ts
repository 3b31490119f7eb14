// Operations that write one object: their scope, the interceptors that read their body and make their answer, and what the OpenAPI document says.
import { applyDecorators, HttpCode, UseInterceptors, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Scope } from '../auth/scope.js';
import { ReadsBody, type BodyRules } from '../bodies/body.interceptor.js';
import {
  ApiBodyRefusals,
  ApiMalformedAddress,
  ApiProblem,
  ApiRefusals,
  PROBLEM_REF,
} from '../openapi/problems.decorator.js';
import { HEADERS } from '../openapi/responses.decorator.js';
import { ApiSentBody } from '../openapi/other-formats.js';
import { noSuch, type Problem } from '../problems/problem.js';
import { fieldFault, invalidFields } from '../validation/field-mistakes.js';
import { ID } from '../validation/values.js';
import { ConflictResponse, InvalidFieldsResponse } from './dto/problems.response.js';
import {
  CREATED_OBJECT,
  LARGE_OBJECT_TOO_LARGE,
  MERGED_OBJECT,
  OBJECT_TOO_LARGE,
  parseRecord,
  PUT_OBJECT,
} from './object-body.js';
import { preconditionFailed } from './problems.js';
import { Writes } from './writes.guard.js';
import { WrittenInterceptor } from './written.interceptor.js';

/** A kind of object. */
export interface WrittenKind {
  /** As texts call it. */
  readonly object: string;
  /** Whose id is in the address, if not its own. */
  readonly idOf?: string;
  /** As the ids of operations call it. */
  readonly name: string;
  /** As the address calls its id, if not `id`. */
  readonly idName?: string;
  readonly scope: Scope;
  readonly response: Type;
  readonly deleted: Type;
}

/** What is said of one operation, where it is not said of all kinds. */
interface DescribedWrite {
  readonly summary?: string;
  readonly description?: string;
  readonly body?: {
    readonly type: Type;
    readonly example: object;
    readonly prepare?: BodyRules['prepare'];
    /** Of an action: it may be left out, and is then empty. */
    readonly isOptional?: true;
    /** Where it is not as others are. */
    readonly rules?: Partial<BodyRules>;
  };
  /** In the address. The demo has such an object, so that the operation can be tried out. */
  readonly exampleId?: string;
  /** The status 409. */
  readonly conflicts?: readonly [description: string, example: Problem];
}

const LOCATION = {
  Location: { description: 'The address of the new object.', schema: { type: 'string' as const } },
};

const INVALID = invalidFields([
  fieldFault('name', 'is missing'),
  { pointer: '/colour', reason: 'unknown field', detail: '"colour"' },
]);

export function ApiCreation(kind: WrittenKind, write: DescribedWrite): MethodDecorator {
  const { object, name, response } = kind;
  return applyDecorators(
    described(kind, write, {
      operationId: `create${name}`,
      summary: `Create a ${object}`,
      description: `The service makes its id. If the answer is lost, nobody knows whether the ${object} was created: a PUT under an id of your own can be repeated.`,
    }),
    bodyOf(kind, write, CREATED_OBJECT),
    answer(201, `The new ${object}.`, response, LOCATION),
  );
}

export function ApiReplacement(kind: WrittenKind, write: DescribedWrite): MethodDecorator {
  const { object, name, response } = kind;
  return applyDecorators(
    described(kind, write, {
      operationId: `put${name}`,
      summary: `Create, replace or restore a ${object}`,
      description: 'Under an id of your own, and as often as you like. What is left out gets its default.',
    }),
    bodyOf(kind, write, PUT_OBJECT),
    ofOne(kind, write),
    ApiHeader(IF_NONE_MATCH),
    answer(200, `The ${object}, replaced or as it was.`, response),
    answer(201, `The ${object}, which is new or restored.`, response),
  );
}

export function ApiMerge(kind: WrittenKind, write: DescribedWrite): MethodDecorator {
  const { object, name, response } = kind;
  return applyDecorators(
    described(kind, write, {
      operationId: `patch${name}`,
      summary: `Change a ${object}`,
      description:
        'A merge patch (RFC 7396): the given fields change, null clears what may be null, all others stay.',
    }),
    bodyOf(kind, write, MERGED_OBJECT),
    ofOne(kind, write),
    answer(200, `The ${object}, changed or as it was.`, response),
    ApiNoSuch(object),
  );
}

export function ApiDeletion(kind: WrittenKind, write: DescribedWrite): MethodDecorator {
  const { object, name, scope, deleted } = kind;
  return applyDecorators(
    described(kind, write, { operationId: `delete${name}`, summary: `Delete a ${object}`, description: '' }),
    ofOne(kind, write),
    answer(200, `The ${object} is deleted.`, deleted),
    ApiNoSuch(kind.idOf ?? object),
    ApiMalformedAddress(),
    ApiRefusals(scope),
  );
}

/** The POST that brings a deleted object back as it was. */
export function ApiRestoration(
  kind: WrittenKind,
  conflicts: NonNullable<DescribedWrite['conflicts']>,
  description: string,
): MethodDecorator {
  const { object, name, response } = kind;
  const summary = `Restore a deleted ${object}`;
  return ApiAction(kind, { operationId: `restore${name}`, summary, description, conflicts }, [
    `The ${object}, restored or as it was.`,
    response,
  ]);
}

/** What else is done with an object: a POST to an address under its own. Its body, if it takes none, may be left out. */
export function ApiAction(
  kind: WrittenKind,
  write: DescribedWrite & {
    readonly operationId: string;
    readonly summary: string;
    readonly description: string;
    /** A 201 whose answer is no object with an address. */
    readonly hasNoAddress?: true;
  },
  [description, type, status = 200]: readonly [description: string, type: Type, status?: 200 | 201],
): MethodDecorator {
  const { body = { type: NoFields, example: {} } } = write;
  return applyDecorators(
    HttpCode(status),
    described(kind, write, write),
    bodyOf(
      kind,
      { ...write, body },
      write.body === undefined || write.body.isOptional ? OPTIONAL_FIELDS : ACTION_FIELDS,
    ),
    ofOne(kind, write),
    answer(status, description, type, status === 201 && write.hasNoAddress !== true ? LOCATION : {}),
    ApiNoSuch(kind.object),
  );
}

/** A POST that changes nothing. */
export function ApiQuestion(
  {
    body,
    ...operation
  }: Required<Pick<DescribedWrite, 'body' | 'summary' | 'description'>> & {
    readonly operationId: string;
  },
  [description, type]: readonly [description: string, type: Type],
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(InvalidFieldsResponse),
    ApiOperation(operation),
    bodyOf({ scope: 'read' }, { body }, ACTION_FIELDS),
    ApiResponse({ status: 200, description, type, headers: { 'X-Request-Id': HEADERS['X-Request-Id'] } }),
  );
}

/** Without the id of the address: they are no fields of the object. */
const ACTION_FIELDS: BodyRules = { ...CREATED_OBJECT, parse: (text) => parseRecord(text) };
const OPTIONAL_FIELDS: BodyRules = { ...ACTION_FIELDS, without: {} };

/** The body of an action that takes nothing. */
export class NoFields {}

const ApiNoSuch = (object: string): MethodDecorator =>
  ApiProblem('There is no such object for this key.', noSuch(object));

function described(
  { scope }: WrittenKind,
  { conflicts, summary, description }: DescribedWrite,
  usual: { operationId: string; summary: string; description: string },
): MethodDecorator {
  return applyDecorators(
    Writes(scope),
    UseInterceptors(WrittenInterceptor),
    ApiExtraModels(InvalidFieldsResponse, ConflictResponse),
    ApiOperation({
      operationId: usual.operationId,
      summary: summary ?? usual.summary,
      description: `${description ?? usual.description} Needs a key with the scope \`${scope}\`.`,
    }),
    ...(conflicts === undefined ? [] : [ApiProblem(...conflicts, { $ref: getSchemaPath(ConflictResponse) })]),
  );
}

function bodyOf(
  { scope }: Pick<WrittenKind, 'scope'>,
  { body }: DescribedWrite,
  rules: BodyRules,
): MethodDecorator {
  if (body === undefined) throw new Error('An operation that writes has a body.');
  const content = {
    schema: { $ref: getSchemaPath(body.type) },
    examples: { example: { summary: 'Example', value: body.example } },
  };
  const others = rules.types.slice(1).map((type) => [type, content] as const);
  return applyDecorators(
    ReadsBody({ ...rules, prepare: body.prepare, ...body.rules }),
    ApiExtraModels(body.type),
    ApiSentBody(content, Object.fromEntries(others), rules.without === undefined),
    ApiProblem(
      'Fields are not valid (`invalid_fields`), or the body (`malformed_body`), the address or a parameter is not. Nothing was changed.',
      INVALID,
      { anyOf: [{ $ref: getSchemaPath(InvalidFieldsResponse) }, PROBLEM_REF] },
    ),
    ApiBodyRefusals(scope, `Send one JSON object with the Content-Type ${rules.types.join(' or ')}.`, [
      'The body is too large.',
      body.rules?.tooLarge === undefined ? OBJECT_TOO_LARGE : LARGE_OBJECT_TOO_LARGE,
    ]),
  );
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

function ofOne(
  { object, idOf = object, idName = 'id' }: WrittenKind,
  { exampleId = `example-${idOf}` }: DescribedWrite,
): MethodDecorator {
  return applyDecorators(
    ApiParam({
      name: idName,
      description: `Identifier of the ${idOf}.`,
      schema: { type: 'string', minLength: ID.min, maxLength: ID.max, example: exampleId },
    }),
    ApiHeader(IF_MATCH),
    ApiProblem('The object is not as the precondition wants it.', preconditionFailed(object)),
  );
}

function answer(status: 200 | 201, description: string, type: Type, headers = {}): MethodDecorator {
  return ApiResponse({ status, description, type, headers: { ...HEADERS, ...headers } });
}
