// What can go wrong with a request: the service reports a problem (RFC 9457), or no answer comes.

/** One of the things that are wrong: a parameter, a field of the body (`pointer`) or a reading (`index`). */
export interface ProblemDetail {
  readonly detail: string;
  readonly parameter?: string;
  readonly pointer?: string;
  readonly index?: number;
  readonly code?: string;
}

/** The service refused the request. */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
  /** A stable code for programs, such as `not_found`; `unexpected_answer` when the answer is not the service's. */
  readonly code: string;
  /** What went wrong and how to fix it, for a person. */
  readonly detail: string;
  /** All that is wrong, one by one, where the service names it. */
  readonly errors: readonly ProblemDetail[];
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(
    readonly status: number,
    /** All that the service said, also what only some problems have. */
    readonly problem: Readonly<Record<string, unknown>>,
    /** When the service asks to try again, if it does. */
    readonly retryAfterMs?: number | undefined,
  ) {
    const { code, detail, errors, request_id } = problem;
    const said = textOr(detail, `The service answered ${status}.`);
    const named = textOr(code, 'unexpected_answer');
    const all = Array.isArray(errors) ? (errors as ProblemDetail[]) : [];
    super([`${said} (${status} ${named})`, ...linesOf(all)].join('\n'));
    this.code = named;
    this.detail = said;
    this.errors = all;
    this.requestId = typeof request_id === 'string' ? request_id : undefined;
  }
}

/** The first of the things that are wrong, for a log. */
function linesOf(errors: readonly ProblemDetail[]): string[] {
  const lines = errors.slice(0, SHOWN).map(({ parameter, pointer, index, detail }) => {
    const where = parameter ?? pointer ?? (index === undefined ? undefined : `reading ${index}`);
    return where === undefined ? `- ${detail}` : `- ${where}: ${detail}`;
  });
  return errors.length > SHOWN ? [...lines, `- and ${errors.length - SHOWN} more`] : lines;
}
const SHOWN = 3;

/** No answer: the connection was lost or never made, or the answer took longer than `timeoutMs`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** A proxy in between may answer with something else than a problem. */
export async function problemFrom(response: Response): Promise<ProblemError> {
  const { status, headers } = response;
  if (status < 400) return new ProblemError(status, { detail: REDIRECTED });
  const body = parsed(await response.text());
  const problem = typeof body === 'object' && body !== null ? body : {};
  const requestId = headers.get('X-Request-Id') ?? undefined;
  return new ProblemError(status, { request_id: requestId, ...problem }, retryAfter(headers));
}

const REDIRECTED =
  'The answer is a redirect, which is not followed: it could lead the key astray. Check the url.';

/** Seconds or a date. Nothing, and what is over by this clock, is no time to wait: many at once would ask again and again. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return ms > 0 ? ms : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
