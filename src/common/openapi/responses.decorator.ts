// What each kind of operation that reads may answer, described once for the OpenAPI document.
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiParam, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Scope } from '../auth/scope.js';
import { MEDIA_TYPES } from '../pagination/media-types.js';
import { ROW_FORMATS } from '../pagination/rows.js';
import { FORM_BYTES } from '../../platform/config/config.js';
import { MAX_FAULTS } from '../validation/fault.js';
import type { ListType } from '../pagination/dto/list.response.js';
import {
  bodyTooLarge,
  cursorExpired,
  invalidParameters,
  notAcceptable,
  noSuch,
  unknownAddress,
} from '../problems/problem.js';
import {
  ApiMalformedAddress,
  ApiProblem,
  ApiRefusals,
  integerHeader,
  refTo,
  textHeader,
  VARY,
} from './problems.decorator.js';
import { rowFormats } from './formats.js';

export const REQUEST_ID = textHeader('The id of this request.');
export const HEADERS = {
  ETag: textHeader(
    'Names this exact answer; send it back in `If-None-Match` to get 304 when nothing changed, or in `If-Match` to change only this.',
  ),
  'X-Request-Id': REQUEST_ID,
};
const FORMATTED_HEADERS = {
  ...HEADERS,
  Vary: VARY,
  'X-Total-Items': {
    ...integerHeader('How many items there are in all. In CSV and NDJSON only: in JSON it is `total_items`.'),
    required: false,
  },
};
const LIST_HEADERS = {
  ...FORMATTED_HEADERS,
  Link: {
    ...textHeader(
      'Links to the first, prev, next and last page (RFC 8288), with the other parameters kept. If those are thousands of characters long, only one link, or no header.',
    ),
    required: false,
  },
  'X-Total-Pages': {
    ...integerHeader('How many pages there are. In CSV and NDJSON only: in JSON it is `total_pages`.'),
    required: false,
  },
};

const ApiBadParameter = () =>
  ApiProblem(
    `A parameter is not valid; every bad one is named, up to ${MAX_FAULTS}.`,
    invalidParameters([
      { parameter: 'size', detail: 'must be a whole number from 1 to 100, in plain digits, not "500"' },
    ]),
  );
const BODY_TOO_LARGE = ['The request body is too large.', bodyTooLarge(FORM_BYTES)] as const;
const NOT_ACCEPTABLE = [
  'None of the formats in `Accept` is offered; `detail` lists those that are.',
  notAcceptable(MEDIA_TYPES),
] as const;

/** A read may answer all this, besides what it is asked for. */
const othersThanOk = () => [
  ApiResponse({ status: 304, description: 'Nothing changed since the answer named in `If-None-Match`.' }),
  ApiProblem('', unknownAddress()),
];

/** One of these types. */
export function ApiOk(
  description: string,
  types: readonly [Type, ...Type[]],
  headers: object = { 'X-Request-Id': REQUEST_ID },
  status: 200 | 201 = 200,
): MethodDecorator {
  const [type, ...others] = types;
  const named = { status, description, headers: headers as typeof HEADERS };
  if (others.length === 0) return ApiResponse({ ...named, type });
  return applyDecorators(
    ApiExtraModels(...types),
    ApiResponse({ ...named, schema: { oneOf: types.map(refTo) } }),
  );
}

/** An operation that lists objects, in every format: its `Page` becomes the envelope or rows. `rowType`: for a list whose rows have more fields than its objects. */
export function ApiList(
  listType: ListType,
  description: string,
  rowType: Type = listType.itemType,
  scope: Scope = 'read',
): MethodDecorator {
  return ApiFormatted(listType, rowType, description, LIST_HEADERS, scope);
}

/** Piece after piece, which no cache keeps. */
export function ApiWalk(responseType: Type, rowType: Type, description: string): MethodDecorator {
  const Link = {
    ...textHeader('The way on (RFC 8288), `rel="next"`; none on the last page.'),
    required: false,
  };
  const headers = { 'X-Request-Id': REQUEST_ID, Vary: VARY, Link };
  return ApiFormatted(responseType, rowType, description, headers, 'read', []);
}

/** An operation that answers with one object in JSON, and with the rows in it in the other formats. */
export function ApiFormatted(
  responseType: Type,
  rowType: Type,
  description: string,
  headers: object = FORMATTED_HEADERS,
  scope: Scope = 'read',
  others = othersThanOk(),
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(responseType, rowType),
    ApiResponse({
      status: 200,
      description: `${description} With another \`Accept\` also as \`${ROW_FORMATS.join('`, `')}\`.`,
      headers: headers as typeof HEADERS,
      content: { 'application/json': { schema: refTo(responseType) } },
      ...rowFormats(getSchemaPath(rowType), rowType),
    }),
    ApiBadParameter(),
    ...others,
    ApiRefusals(scope, NOT_ACCEPTABLE, BODY_TOO_LARGE),
  );
}

interface DescribedAnswer {
  readonly hasParameters?: boolean;
  readonly scope?: Scope | null;
  /** No cache keeps it. */
  readonly isUnstored?: boolean;
  /** What it may be instead. */
  readonly orType?: Type;
}

/** An operation that answers with one object, in JSON only. */
export function ApiAnswer(
  responseType: Type,
  description: string,
  { hasParameters = false, scope = 'read', isUnstored = false, orType }: DescribedAnswer = {},
): MethodDecorator {
  return applyDecorators(
    hasParameters ? ApiBadParameter() : ApiMalformedAddress(),
    ApiOk(description, orType === undefined ? [responseType] : [responseType, orType], HEADERS),
    ...othersThanOk().slice(isUnstored ? 1 : 0), // without the 304
    ApiRefusals(scope, BODY_TOO_LARGE),
  );
}

/** The feed, whose answers no cache keeps. */
export function ApiFeed(responseType: Type, description: string): MethodDecorator {
  return applyDecorators(
    ApiOk(description, [responseType]),
    ApiBadParameter(),
    ApiProblem('Changes after this cursor are missing; `detail` says how to begin again.', cursorExpired()),
    ApiRefusals('read', BODY_TOO_LARGE),
  );
}

export const NO_SUCH = 'There is no such object for this key.';

/** Stands above what the operation answers, whose 404 then names the kind. */
export function ApiId(kind: string, example: string, name = 'id'): MethodDecorator {
  return applyDecorators(
    // Within the schema, where Swagger UI finds it.
    ApiParam({ name, description: `Identifier of the ${kind}.`, schema: { type: 'string', example } }),
    ApiProblem(NO_SUCH, noSuch(kind)),
  );
}
