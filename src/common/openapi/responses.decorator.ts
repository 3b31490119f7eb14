// What each kind of operation that reads may answer, described once for the OpenAPI document.
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PRICES } from '../admission/admission.js';
import type { Scope } from '../auth/scope.js';
import { Unstored } from '../http/unstored.interceptor.js';
import { MEDIA_TYPES } from '../pagination/media-types.js';
import { ROW_FORMATS } from '../pagination/rows.js';
import { FORM_BYTES } from '../../platform/config/config.js';
import { MAX_FAULTS } from '../validation/fault.js';
import type { ListType } from '../pagination/dto/list.response.js';
import { FormParameters } from '../pagination/form-parameters.interceptor.js';
import { Paginated } from '../pagination/pagination.interceptor.js';
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
  textHeader,
  VARY,
} from './problems.decorator.js';
import { rowFormats } from './row-formats.js';

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

/** An operation that lists objects, in every format: its `Page` becomes the envelope or rows. `rowType`: for a list whose rows have more fields than its objects. */
export function ApiList(
  listType: ListType,
  description: string,
  rowType: Type = listType.itemType,
  scope: Scope = 'read',
): MethodDecorator {
  return applyDecorators(Paginated(), ApiFormatted(listType, rowType, description, LIST_HEADERS, scope));
}

/** Piece after piece, which no cache keeps. */
export function ApiWalk(responseType: Type, rowType: Type, description: string): MethodDecorator {
  const Link = {
    ...textHeader('The way on (RFC 8288), `rel="next"`; none on the last page.'),
    required: false,
  };
  const headers = { 'X-Request-Id': REQUEST_ID, Vary: VARY, Link };
  return applyDecorators(
    Paginated(PRICES.longRead),
    Unstored(),
    ApiFormatted(responseType, rowType, description, headers, 'read', []),
  );
}

export function ApiSeries(responseType: Type, rowType: Type, description: string): MethodDecorator {
  return applyDecorators(
    Paginated(PRICES.largePage),
    ApiFormatted(responseType, rowType, description, FORMATTED_HEADERS),
  );
}

/** An operation that answers with one object in JSON, and with the rows in it in the other formats. */
function ApiFormatted(
  responseType: Type,
  rowType: Type,
  description: string,
  headers: Readonly<
    Record<string, ReturnType<typeof textHeader | typeof integerHeader> & { required?: boolean }>
  >,
  scope: Scope = 'read',
  others = othersThanOk(),
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(responseType, rowType),
    ApiOkResponse({
      description: `${description} With another \`Accept\` also as \`${ROW_FORMATS.join('`, `')}\`.`,
      headers,
      content: { 'application/json': { schema: { $ref: getSchemaPath(responseType) } } },
      ...rowFormats(getSchemaPath(rowType), rowType),
    }),
    ApiBadParameter(),
    ...others,
    ApiRefusals(scope, NOT_ACCEPTABLE, BODY_TOO_LARGE),
  );
}

/** An operation that answers with one object, in JSON only. */
export function ApiAnswer(
  responseType: Type,
  description: string,
  {
    hasParameters = false,
    scope = 'read',
    isUnstored = false,
  }: { hasParameters?: boolean; scope?: Scope | null; isUnstored?: boolean } = {},
): MethodDecorator {
  return applyDecorators(
    ...(hasParameters ? [FormParameters(), ApiBadParameter()] : [ApiMalformedAddress()]),
    ApiOkResponse({ type: responseType, description, headers: HEADERS }),
    ...othersThanOk().slice(isUnstored ? 1 : 0), // without the 304
    ApiRefusals(scope, BODY_TOO_LARGE),
  );
}

/** The feed, whose answers no cache keeps. */
export function ApiFeed(responseType: Type, description: string): MethodDecorator {
  return applyDecorators(
    FormParameters(),
    ApiOkResponse({ type: responseType, description, headers: { 'X-Request-Id': REQUEST_ID } }),
    ApiBadParameter(),
    ApiProblem('Changes after this cursor are missing; `detail` says how to begin again.', cursorExpired()),
    ApiRefusals('read', BODY_TOO_LARGE),
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
    ApiMalformedAddress(),
    ...othersThanOk(),
    ApiRefusals('read', BODY_TOO_LARGE),
  );
}

/** Stands above what the operation answers, whose 404 then names the kind. */
export function ApiId(kind: string, example: string, name = 'id'): MethodDecorator {
  return applyDecorators(
    // Within the schema, where Swagger UI finds it.
    ApiParam({ name, description: `Identifier of the ${kind}.`, schema: { type: 'string', example } }),
    ApiProblem('There is no such object for this key.', noSuch(kind)),
  );
}
