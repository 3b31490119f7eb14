// How errors are shown in the OpenAPI document: each status with an example, and those that are the same everywhere in one group,
// so that an operation fits on a screen or two.
import type { OpenAPIObject } from '@nestjs/swagger';
import { KEY_PROBLEMS } from '../auth/rejected-keys.js';
import { MEDIA_TYPES } from '../formats/media-types.js';
import {
  badRequest,
  bodyTooLarge,
  databaseUnavailable,
  headersTooLarge,
  internalError,
  invalidParameters,
  notAcceptable,
  rateLimited,
  requestTimeout,
  unknownAddress,
  type Problem,
} from '../problems/problem.js';
import { problemBody } from '../problems/send-problem.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = Operation['responses'];
type ErrorResponse = Exclude<NonNullable<Responses[string]>, { $ref: string }>;
type Entry = [status: string, response: Responses[string]];

const ALIKE: ReadonlySet<string> = new Set(['401', '403', '406', '408', '413', '429', '431', '500', '503']);
const PROBLEM_TYPE = 'application/problem+json';

export function problemExample(problem: Problem): object {
  return problemBody(problem, 'qX3v9Zk2LmNpR7sTuVwY');
}

export function showErrors(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document)) {
    const entries = Object.entries(operation.responses).map(([status, response]): Entry => {
      const isError = isDescribed(response) && Number(status) >= 400;
      return [status, isError ? withExample(status, response, operation) : response];
    });
    const alike = entries.filter((entry): entry is [string, ErrorResponse] => isAlike(entry));
    const others = entries.filter((entry) => !isAlike(entry));
    operation.responses =
      alike.length < 3
        ? Object.fromEntries(entries)
        : { ...Object.fromEntries(others), default: grouped(alike) };
  }
  return document;
}

function isDescribed(response: Responses[string]): response is ErrorResponse {
  return response !== undefined && response !== null && !('$ref' in response);
}

function isAlike([status, response]: Entry): boolean {
  return ALIKE.has(status) && isDescribed(response);
}

export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((item) =>
    [item.get, item.post, item.put, item.patch, item.delete].filter((one) => one !== undefined),
  );
}

/** X-Request-Id is left out: the body has the same as `request_id`. */
function withExample(status: string, response: ErrorResponse, operation: Operation): ErrorResponse {
  const { headers: { 'X-Request-Id': _, ...headers } = {}, content = {}, ...rest } = response;
  const body = content[PROBLEM_TYPE] ?? {};
  const example = exampleOf(Number(status), operation);
  const isShown = 'example' in body || 'examples' in body || example === undefined;
  return {
    ...rest,
    ...(!isShown && status === '404' && { description: 'There is nothing at this address.' }),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { ...content, [PROBLEM_TYPE]: isShown ? body : { ...body, example: problemExample(example) } },
  };
}

function exampleOf(status: number, { parameters = [] }: Operation): Problem | undefined {
  if (status !== 400) return EXAMPLES[status];
  const hasParameters = parameters.some((parameter) => 'in' in parameter && parameter.in === 'query');
  return hasParameters ? BAD_PARAMETER : BAD_URL;
}

const BAD_PARAMETER = invalidParameters([
  { parameter: 'size', detail: 'must be a whole number from 1 to 100, in plain digits, not "500"' },
]);
const BAD_URL = badRequest(
  'malformed_url',
  '"%zz" is not valid percent-encoded UTF-8; write a percent sign as %25.',
);

/** What a caller would really get, as far as it is known here. */
const EXAMPLES: Readonly<Record<number, Problem>> = {
  401: KEY_PROBLEMS.missing,
  404: unknownAddress(),
  406: notAcceptable(MEDIA_TYPES),
  408: requestTimeout(),
  413: bodyTooLarge(16_384),
  429: rateLimited(42),
  431: headersTooLarge(),
  500: internalError(),
  503: databaseUnavailable(undefined),
};

/** As the one default response. */
function grouped(alike: readonly [string, ErrorResponse][]): ErrorResponse {
  const bodies = alike.map(([status, { content }]) => [status, content?.[PROBLEM_TYPE]] as const);
  const schema = bodies[0]?.[1]?.schema;
  const examples = Object.fromEntries(
    bodies.map(([status, body]) => [status, { summary: status, value: body?.example as unknown }]),
  );
  const lines = alike.map(([status, { description }]) => `- ${status}: ${description}`);
  const headers: ErrorResponse['headers'] = Object.assign(
    {},
    ...alike.map(([, response]) => response.headers),
  );
  return {
    description: ['The same everywhere:', ...lines].join('\n'),
    ...(headers !== undefined && { headers }),
    content: { [PROBLEM_TYPE]: { ...(schema !== undefined && { schema }), examples } },
  };
}
