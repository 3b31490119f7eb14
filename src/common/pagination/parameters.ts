// The parameters of a request: in the query string, in a form body of a GET (what `curl -X GET -d page=2` sends), or both. What cannot be
// decoded is reported, never guessed.
import express, { type Request } from 'express';
import type { ServerResponse } from 'node:http';
import { expectsBody } from '../bodies/content-type.js';
import { badRequest, bodyTooLarge } from '../problems/problem.js';

/** What was sent under each name: several values when it was sent more than once. */
export type Parameters = Readonly<Record<string, string | string[]>>;
type ParametersSoFar = Record<string, string | string[]>;

const FORM = 'application/x-www-form-urlencoded';

/** Express's `query parser`: what `request.query` and `@Query()` are made of. */
export function parseQuery(query: string | null): Parameters {
  return parseForm(query ?? '', 'malformed_url');
}

/** Beside those that are there; one that is there already then has two values. */
export function addParameters(request: Request, more: Parameters): void {
  const value = request.query as ParametersSoFar; // Express makes it anew until it is one of ours
  for (const [name, added] of Object.entries(more)) addTo(value, name, added);
  Object.defineProperty(request, 'query', { value, configurable: true, enumerable: true });
}

/** Those in a body, if there is one. */
export async function addFormParameters(request: Request, maxBodyBytes: number): Promise<void> {
  if (!expectsBody(request.headers)) return;
  if (!request.is(FORM)) {
    throw badRequest('malformed_body', `Send parameters in the query string, or in a body of type ${FORM}.`);
  }
  if (Number(request.headers['content-length']) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  addParameters(request, parseForm(await readForm(request, maxBodyBytes), 'malformed_body'));
}

function readForm(request: Request, maxBodyBytes: number): Promise<string> {
  // Express's own body parser, called after the key was checked rather than before everything.
  const parse = express.text({ type: FORM, limit: maxBodyBytes, defaultCharset: 'utf-8' });
  return new Promise((resolve, reject) => {
    const response: ServerResponse | undefined = request.res;
    if (response === undefined) throw new Error('A request without its response.');
    refuseOnceTooLarge(request, maxBodyBytes, reject);
    parse(request, response, (error: unknown) => {
      const detail = 'The request body could not be read; send the parameters in the query string.';
      if (error === undefined) resolve(typeof request.body === 'string' ? request.body : '');
      else if (error instanceof Error && 'status' in error && error.status === 413)
        reject(bodyTooLarge(maxBodyBytes));
      else reject(badRequest('malformed_body', detail));
    });
  });
}

/** The parser would first read a body that is too large to its end. */
function refuseOnceTooLarge(request: Request, maxBodyBytes: number, refuse: (problem: Error) => void): void {
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBodyBytes) refuse(bodyTooLarge(maxBodyBytes));
  });
}

function parseForm(form: string, code: 'malformed_url' | 'malformed_body'): Parameters {
  // Without a prototype, so that no name is there before it is sent.
  const values = Object.create(null) as ParametersSoFar;
  for (const pair of form.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    addTo(values, decode(name, code), decode(value, code));
  }
  return values;
}

function addTo(values: ParametersSoFar, name: string, value: string | string[]): void {
  const before = values[name];
  if (before === undefined) values[name] = value;
  else if (typeof before === 'string') values[name] = [before, value].flat();
  else for (const one of [value].flat()) before.push(one);
}

function decode(text: string, code: 'malformed_url' | 'malformed_body'): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    const shown = text.slice(0, 100);
    throw badRequest(code, `"${shown}" is not valid percent-encoded UTF-8; write a percent sign as %25.`);
  }
}
