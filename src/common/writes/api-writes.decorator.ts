// What the OpenAPI document says of operations that change one object, by their kind.
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiParam } from '@nestjs/swagger';
import type { Scope } from '../auth/scope.js';
import { ApiFields, type DescribedBody } from '../openapi/bodies.decorator.js';
import {
  ApiMalformedAddress,
  ApiProblem,
  ApiRefusals,
  ApiScoped,
  refTo,
  type DescribedOperation,
} from '../openapi/problems.decorator.js';
import { ApiOk, HEADERS, NO_SUCH } from '../openapi/responses.decorator.js';
import { noSuch, type Problem } from '../problems/problem.js';
import { ID } from '../validation/values.js';
import { ConflictResponse, InvalidFieldsResponse } from './dto/problems.response.js';
import { MERGED_OBJECT } from './object-body.js';
import { preconditionFailed } from './problems.js';

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

/** What is said of one operation, where it is not said of all of its kind. */
interface DescribedWrite extends Partial<Omit<DescribedOperation, 'operationId'>> {
  readonly body?: DescribedBody;
  /** In the address. The demo has such an object, so that the operation can be tried out. */
  readonly exampleId?: string;
  /** The status 409. */
  readonly conflicts?: readonly [description: string, example: Problem];
}

/** Where nothing is said of all of its kind. */
type DescribedAction = DescribedWrite & DescribedOperation;

type Answer = readonly [description: string, type: Type, status?: 200 | 201, headers?: object];

export const LOCATION = {
  Location: { description: 'The address of the new object.', schema: { type: 'string' as const } },
};

export function ApiCreation(kind: WrittenKind, write: DescribedWrite): MethodDecorator {
  const { object, name, response } = kind;
  const usual = {
    operationId: `create${name}`,
    summary: `Create a ${object}`,
    description: `The service makes its id. If the answer is lost, nobody knows whether the ${object} was created: a PUT under an id of your own can be repeated.`,
  };
  return change(kind, { ...usual, ...write }, [`The new ${object}.`, response, 201, LOCATION]);
}

export function ApiReplacement(kind: WrittenKind, write: DescribedWrite): MethodDecorator {
  const { object, name, response } = kind;
  const usual = {
    operationId: `put${name}`,
    summary: `Create, replace or restore a ${object}`,
    description: 'Under an id of your own, and as often as you like. What is left out gets its default.',
  };
  return applyDecorators(
    change(
      kind,
      { ...usual, ...write },
      [`The ${object}, replaced or as it was.`, response],
      [`The ${object}, which is new or restored.`, response, 201],
    ),
    ApiOne(kind, write),
    ApiHeader(IF_NONE_MATCH),
  );
}

export function ApiMerge(kind: WrittenKind, write: DescribedWrite): MethodDecorator {
  const { object, name, response } = kind;
  const usual = {
    operationId: `patch${name}`,
    summary: `Change a ${object}`,
    description:
      'A merge patch (RFC 7396): the given fields change, null clears what may be null, all others stay.',
  };
  return applyDecorators(
    change(kind, { ...usual, ...write, types: MERGED_OBJECT.types }, [
      `The ${object}, changed or as it was.`,
      response,
    ]),
    ApiOne(kind, write),
    ApiProblem(NO_SUCH, noSuch(object)),
  );
}

export function ApiDeletion(kind: WrittenKind, write: DescribedWrite): MethodDecorator {
  const { object, name, scope, deleted, idOf = object } = kind;
  const usual = { operationId: `delete${name}`, summary: `Delete a ${object}`, description: '' };
  return applyDecorators(
    change(kind, { ...usual, ...write }, [`The ${object} is deleted.`, deleted]),
    ApiOne(kind, write),
    ApiProblem(NO_SUCH, noSuch(idOf)),
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
  const operation = { operationId: `restore${name}`, summary: `Restore a deleted ${object}` };
  return ApiAction(kind, { ...operation, description, conflicts }, [
    `The ${object}, restored or as it was.`,
    response,
  ]);
}

/** What else is done with an object: a POST to an address under its own. Its body, if it takes none, may be left out. */
export function ApiAction(kind: WrittenKind, write: DescribedAction, answer: Answer): MethodDecorator {
  const { body = { type: NoFields, example: {}, isOptional: true } } = write;
  return applyDecorators(
    change(kind, { ...write, body }, answer),
    ApiOne(kind, write),
    ApiProblem(NO_SUCH, noSuch(kind.object)),
  );
}

/** The body of an action that takes nothing. */
export class NoFields {}

function change(
  { scope }: WrittenKind,
  write: DescribedAction & { readonly types?: readonly string[] },
  ...answers: readonly Answer[]
): MethodDecorator {
  const { body, conflicts, types } = write;
  return applyDecorators(
    ApiExtraModels(InvalidFieldsResponse, ConflictResponse),
    ApiScoped(scope, write),
    ...(body === undefined ? [] : [ApiFields(scope, body, types)]),
    ...answers.map(([text, type, status = 200, headers = {}]) =>
      ApiOk(text, [type], { ...HEADERS, ...headers }, status),
    ),
    ...(conflicts === undefined ? [] : [ApiProblem(...conflicts, refTo(ConflictResponse))]),
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

/** Of an operation on the object at this address. */
function ApiOne(
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
