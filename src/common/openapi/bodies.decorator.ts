// What the OpenAPI document says of bodies that are sent, and of what may be wrong with them.
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels } from '@nestjs/swagger';
import type { Scope } from '../auth/scope.js';
import { requestTimeout, unsupportedMediaType, type Problem } from '../problems/problem.js';
import { fieldFault, invalidFields } from '../validation/field-mistakes.js';
import { InvalidFieldsResponse } from '../writes/dto/problems.response.js';
import { CREATED_OBJECT, LARGE_OBJECT_TOO_LARGE, OBJECT_TOO_LARGE } from '../writes/object-body.js';
import { OTHER_FORMATS } from './formats.js';
import { ApiProblem, ApiRefusals, ApiScoped, PROBLEM_REF, refTo } from './problems.decorator.js';
import type { Described, DescribedOperation } from './problems.decorator.js';
import { ApiOk } from './responses.decorator.js';

interface SentBody {
  readonly scope: Scope;
  readonly content: { readonly schema: object; readonly examples: object };
  /** Its other types. */
  readonly others?: Readonly<Record<string, object>>;
  readonly isOptional?: boolean | undefined;
  /** The status 400. `schema`: of a problem that says more than others. */
  readonly invalid: readonly [description: string, example: Problem, schema?: Type];
  /** The status 415: what to send instead, and what was wrong. */
  readonly wanted?: string;
  readonly otherType?: string;
  /** The status 413. */
  readonly tooLarge: Described;
}

/** One type is in the content of the body, the others beside it. */
export function ApiSentBody({
  scope,
  content,
  others = {},
  isOptional = false,
  invalid: [description, example, schema],
  wanted = 'Send one JSON object with the Content-Type application/json.',
  otherType = 'The body is of another type, charset or encoding.',
  tooLarge,
}: SentBody): MethodDecorator {
  const beside = Object.keys(others).length === 0 ? {} : { [OTHER_FORMATS]: others };
  return applyDecorators(
    ...(schema === undefined ? [] : [ApiExtraModels(schema)]),
    ApiBody({ required: !isOptional, ...content, ...beside }),
    ApiProblem(description, example, schema && { anyOf: [refTo(schema), PROBLEM_REF] }),
    ApiProblem(otherType, unsupportedMediaType(wanted, {})),
    ApiRefusals(scope, ['The body took too long to arrive.', requestTimeout()], tooLarge),
  );
}

/** An operation that takes such a body, and answers with one of these types. */
export function ApiSend(
  operation: DescribedOperation,
  [answer, ...types]: readonly [string, Type, ...Type[]],
  body: SentBody,
): MethodDecorator {
  return applyDecorators(ApiScoped(body.scope, operation), ApiOk(answer, types), ApiSentBody(body));
}

/** One example, of any JSON object unless a schema says more. */
export function exampleBody(
  value: object,
  schema: object = { type: 'object', additionalProperties: true },
): SentBody['content'] {
  return { schema, examples: { example: { summary: 'Example', value } } };
}

export interface DescribedBody {
  readonly type: Type;
  readonly example: object;
  readonly isOptional?: true;
  readonly isLarge?: true;
}

const INVALID = invalidFields([
  fieldFault('name', 'is missing'),
  { pointer: '/colour', reason: 'unknown field', detail: '"colour"' },
]);

/** The fields of an object, or of what is done with it. */
export function ApiFields(
  scope: Scope,
  { type, example, isOptional, isLarge }: DescribedBody,
  [, ...otherTypes]: readonly string[] = CREATED_OBJECT.types,
): MethodDecorator {
  const content = exampleBody(example, refTo(type));
  return applyDecorators(
    ApiExtraModels(type),
    ApiSentBody({
      scope,
      content,
      others: Object.fromEntries(otherTypes.map((one) => [one, content])),
      isOptional,
      invalid: [
        'Fields are not valid (`invalid_fields`), or the body (`malformed_body`), the address or a parameter is not. Nothing was changed.',
        INVALID,
        InvalidFieldsResponse,
      ],
      wanted: `Send one JSON object with the Content-Type ${['application/json', ...otherTypes].join(' or ')}.`,
      tooLarge: ['The body is too large.', isLarge === true ? LARGE_OBJECT_TOO_LARGE : OBJECT_TOO_LARGE],
    }),
  );
}
