// Problems in the OpenAPI document, each with an example. Those that are the same everywhere stand in one group, so that an operation
// fits on a screen or two.
import type { Type } from '@nestjs/common';
import { ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { KEY_PROBLEMS } from '../auth/caller-check.js';
import { SCOPES, type Scope } from '../auth/scope.js';
import { ProblemResponse } from '../problems/dto/problem.response.js';
import {
  badRequest,
  databaseUnavailable,
  insufficientScope,
  internalError,
  rateLimited,
  type Problem,
} from '../problems/problem.js';
import { problemBody } from '../problems/send-problem.js';

const PROBLEM_TYPE = 'application/problem+json';
export const refTo = (type: Type): { $ref: string } => ({ $ref: getSchemaPath(type) });
export const PROBLEM_REF = refTo(ProblemResponse);

export const textHeader = (description: string) => ({ description, schema: { type: 'string' as const } });
export const integerHeader = (description: string) => ({ description, schema: { type: 'integer' as const } });
export const VARY = textHeader(
  'Lists `Accept` and `Accept-Encoding`: the format and the compression depend on them.',
);

function problemExample(problem: Problem): object {
  return problemBody(problem, '9b2f0c64-5d1e-4a7b-8f3c-6e1d2a9b7c50');
}

export function ApiProblem(description: string, problem: Problem, schema: object = PROBLEM_REF) {
  const content = { [PROBLEM_TYPE]: { schema, example: problemExample(problem) } };
  return ApiResponse({ status: problem.status, description, content });
}

export const ApiMalformedAddress = (description = 'The address is not well formed.') =>
  ApiProblem(
    description,
    badRequest('malformed_url', '"%zz" is not valid percent-encoded UTF-8; write a percent sign as %25.'),
  );

/** Node's own answer, before there is a request. Nothing else a client sends is refused on every operation. */
export const HEADERS_TOO_LARGE = ApiResponse({
  status: 431,
  description: 'The address and the headers together are too long; the answer is empty.',
});

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

/** One that needs a scope of its own. */
export const ApiScoped = (scope: Scope, { operationId, summary, description }: DescribedOperation) =>
  ApiOperation({
    operationId,
    summary,
    description: `${description} Needs a key with the scope \`${scope}\`.`,
  });

export type Described = readonly [description: string, problem: Problem];

/** What every operation that needs a key may answer, and those of `more`. `scope` is null where any key will do. */
export function ApiRefusals(scope: Scope | null, ...more: Described[]): MethodDecorator {
  const others = SCOPES.filter((other) => other !== scope);
  const problems: Described[] = [
    ['The API key is missing, unknown, expired or revoked.', KEY_PROBLEMS.missing],
    ['Too many requests.', rateLimited(42)],
    ['A defect of the service; quote the request_id when you report it.', internalError()],
    ['The service cannot answer right now.', databaseUnavailable(undefined)],
    ...more,
  ];
  if (scope !== null)
    problems.push([
      `The API key lacks the scope \`${scope}\`.`,
      insufficientScope(scope, { scopes: others }),
    ]);
  problems.sort(([, a], [, b]) => a.status - b.status);
  const lines = problems.map(([description, { status }]) => `- ${status}: ${description}`);
  const examples = problems.map(([, problem]) => [
    problem.status,
    { summary: String(problem.status), value: problemExample(problem) },
  ]);
  return ApiResponse({
    status: 'default',
    description: ['The same everywhere:', ...lines].join('\n'),
    headers: {
      'WWW-Authenticate': textHeader('How to authenticate.'),
      ...(problems.some(([, { status }]) => status === 406) && { Vary: VARY }),
      'Retry-After': integerHeader('Seconds to wait before trying again.'),
    },
    content: { [PROBLEM_TYPE]: { schema: PROBLEM_REF, examples: Object.fromEntries(examples) } },
  });
}
