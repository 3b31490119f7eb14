// Answers in JSON, and their ETags.
import { ProblemError } from './problem.js';
import type { Request, Transport } from './transport.js';

/** Beside the objects, so that these are just as the service describes them. */
const etags = new WeakMap<object, string>();

/** The ETag that came with an object: for `ifMatch`. */
export function etagOf(object: object): string | undefined {
  return etags.get(object);
}

export const NO_ETAG = 'Objects of lists have no ETag: get this one by its id.';

/** The option of `put`, `patch` and `delete` that changes an object only if nobody else has since it was read. */
export function ifUnchanged(object: object): { readonly ifMatch: string } {
  const ifMatch = etagOf(object);
  if (ifMatch === undefined) throw new TypeError(NO_ETAG);
  return { ifMatch };
}

/** `object` is what the answer must call itself, where something else would be taken for a success. */
export function askForJson<T extends object>(
  transport: Transport,
  request: Request,
  object?: string,
): Promise<T> {
  return transport.send(request, async (response) => {
    const body = parse(response, await response.text()) as T & { object?: unknown };
    if (object !== undefined && body.object !== object) throw notOfTheService(response);
    const etag = response.headers.get('ETag');
    if (etag !== null) etags.set(body, etag);
    return body;
  });
}

export interface Lines<T> {
  readonly items: T[];
  /** Undefined if something on the way took it out. */
  readonly pageCount: number | undefined;
}

/** So many lines are read before what else the caller does goes on. */
const PARSED_AT_ONCE = 1_000;

/** In NDJSON a page may be a hundred times as large. */
export function askForLines<T extends object>(transport: Transport, request: Request): Promise<Lines<T>> {
  const headers = { Accept: 'application/x-ndjson' };
  return transport.send({ ...request, headers }, async (response) => {
    const lines = (await response.text()).split('\n').filter(Boolean);
    const pageCount = response.headers.get('X-Total-Pages');
    const items: T[] = [];
    for (const line of lines) {
      items.push(parse(response, line) as T);
      if (items.length % PARSED_AT_ONCE === 0) await new Promise((resume) => setTimeout(resume));
    }
    return { items, pageCount: pageCount === null ? undefined : Number(pageCount) };
  });
}

function parse(response: Response, text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // as below
  }
  throw notOfTheService(response);
}

function notOfTheService({ status }: Response): ProblemError {
  return new ProblemError(status, {
    detail: 'The answer is not one of the service. Is this the address of the service?',
  });
}
