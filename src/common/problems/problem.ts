// Every failure a caller can meet, as an RFC 9457 problem with a stable code. Services throw these; one filter answers with them.

import { ROLES, SCOPES_OF, type Scope } from '../auth/scope.js';

export const PROBLEM_CODES = [
  'invalid_parameters',
  'range_too_large',
  'malformed_url',
  'malformed_body',
  'invalid_fields',
  'readings_refused',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
  'missing_api_key',
  'invalid_api_key',
  'session_ended',
  'cross_site',
  'insufficient_scope',
  'bound_key',
  'not_found',
  'method_not_allowed',
  'cursor_expired',
  'misdirected_request',
  'not_acceptable',
  'precondition_failed',
  'deleted',
  'owner_deleted',
  'erased',
  'device_taken',
  'owns_tanks',
  'delivered',
  'already_planned',
  'id_taken',
  'profile_in_use',
  'key_ended',
  'last_admin',
  'webhooks_off',
  'disabled',
  'built_in',
  'key_needed',
  'too_many',
  'duplicate',
  'already_confirmed',
  'not_confirmed',
  'rate_limited',
  'overloaded',
  'database_unavailable',
  'not_ready',
  'shutting_down',
  'bad_request',
  'internal_error',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export interface ParameterError {
  readonly parameter: string;
  readonly detail: string;
}

interface ProblemFacts {
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly object[];
  /** More members of the body. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class Problem extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly errors: readonly object[] | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, code, detail, errors, members, headers, cause }: ProblemFacts) {
    super(detail, { cause });
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.members = members ?? {};
    this.headers = headers ?? {};
  }
}

/** `unnamed`: how many more there are. */
export function invalidParameters(errors: readonly ParameterError[], unnamed = 0): Problem {
  const names = [...new Set(errors.map(({ parameter }) => parameter))].join(', ');
  const these = errors.length === 1 ? 'this parameter' : 'these parameters';
  const more = unnamed === 0 ? '' : ` and ${unnamed} more`;
  const detail = `Fix ${these} and try again: ${names}${more}.`;
  return new Problem({ status: 400, code: 'invalid_parameters', detail, errors });
}

export function badRequest(code: ProblemCode, detail: string): Problem {
  return new Problem({ status: 400, code, detail });
}

export function bodyTooLarge(limit: number): Problem {
  const detail = `The request body may have at most ${limit} bytes; send the parameters in the query string.`;
  return new Problem({ status: 413, code: 'body_too_large', detail });
}

export function unsupportedMediaType(detail: string, headers: Readonly<Record<string, string>>): Problem {
  return new Problem({ status: 415, code: 'unsupported_media_type', detail, headers });
}

/** The rest of the request would be taken for the next one: this answer is the last on its connection. */
export function requestTimeout(): Problem {
  const detail = 'The request took too long to arrive; send it again.';
  return new Problem({ status: 408, code: 'request_timeout', detail, headers: { Connection: 'close' } });
}

export function unauthorized(
  code: 'missing_api_key' | 'invalid_api_key' | 'session_ended',
  detail: string,
): Problem {
  const headers = { 'WWW-Authenticate': 'ApiKey realm="Tank Monitoring Service"' };
  return new Problem({ status: 401, code, detail, headers });
}

/** `needed` is undefined where a route forgot to say: then no key is enough. Users are told which role they need. */
export function insufficientScope(
  needed: Scope | undefined,
  { scopes: has, kind = 'key' }: { readonly scopes: readonly string[]; readonly kind?: 'key' | 'user' },
): Problem {
  const detail =
    needed === undefined
      ? 'No key may call this address.'
      : kind === 'user'
        ? `Your role does not allow this. It needs the role ${roleWith(needed)}, which an admin can give you.`
        : `This needs a key with the scope ${needed}; yours has ${has.join(', ') || 'none'}. Ask your operator for one.`;
  return new Problem({ status: 403, code: 'insufficient_scope', detail });
}

const roleWith = (scope: Scope) => ROLES.find((role) => SCOPES_OF[role].includes(scope)) ?? 'admin';

/** Of a session: another site may have made the browser send it. */
export function crossSite(): Problem {
  const detail =
    'Nothing was changed: this did not come from a page of this service. From elsewhere, send an API key.';
  return new Problem({ status: 403, code: 'cross_site', detail });
}

export function notFound(detail: string): Problem {
  return new Problem({ status: 404, code: 'not_found', detail });
}

/** `kind`: what it would be. */
export function noSuch(kind: string): Problem {
  return notFound(`There is no ${kind} with this id.`);
}

export function unknownAddress(): Problem {
  return notFound('There is nothing at this address; see /docs for what there is.');
}

export function methodNotAllowed(method: string, allow: string): Problem {
  const detail = `${method} is not offered here; this address answers ${allow}.`;
  return new Problem({ status: 405, code: 'method_not_allowed', detail, headers: { Allow: allow } });
}

/** Of the feed of changes. */
export function cursorExpired(): Problem {
  const detail =
    'Changes after this cursor are missing: it is too old, or of a time that a restore, a failover or a rebuild has ended. Begin again: ask with after=latest, read the lists, then follow from its next.';
  return new Problem({ status: 410, code: 'cursor_expired', detail });
}

/** Comes before anything that is wrong with the parameters. */
export function notAcceptable(offered: readonly string[]): Problem {
  const detail = `None of the types in Accept is offered here. Ask for one of these: ${offered.join(', ')}.`;
  return new Problem({ status: 406, code: 'not_acceptable', detail });
}

export function rateLimited(seconds: number): Problem {
  const detail = `Too many requests; try again in ${seconds} s.`;
  const headers = { 'Retry-After': String(seconds) };
  return new Problem({ status: 429, code: 'rate_limited', detail, headers });
}

export function internalError(cause?: unknown): Problem {
  const detail = 'Something went wrong on our side. Quote the request_id when you report it.';
  return new Problem({ status: 500, code: 'internal_error', detail, cause });
}

export function overloaded(): Problem {
  return unavailable('overloaded', 'The service is answering as many requests as it can; try again shortly.');
}

export function databaseUnavailable(cause: unknown): Problem {
  const detail = 'The data cannot be reached right now; try again shortly.';
  return unavailable('database_unavailable', detail, cause);
}

export function unavailable(code: ProblemCode, detail: string, cause?: unknown): Problem {
  return new Problem({ status: 503, code, detail, headers: { 'Retry-After': '1' }, cause });
}
