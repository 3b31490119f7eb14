// The parameters of a list as they were sent: in the query string, in a form body (what `curl -X GET -d page=2` sends), or
// both. What cannot be decoded is reported, never guessed.
import express, { type Request } from 'express';
import type { ServerResponse } from 'node:http';
import { badRequest, bodyTooLarge } from '../problems/problem.js';

export interface RawParameter {
  readonly name: string;
  readonly value: string;
}

const FORM = 'application/x-www-form-urlencoded';

export function queryStringOf({ originalUrl }: Request): string {
  const mark = originalUrl.indexOf('?');
  return mark === -1 ? '' : originalUrl.slice(mark + 1);
}

export function parseQueryString(query: string): RawParameter[] {
  return parseForm(query, 'malformed_url');
}

export async function readBody(request: Request, maxBodyBytes: number): Promise<RawParameter[]> {
  if (!request.is(FORM)) {
    throw badRequest('malformed_body', `Send parameters in the query string, or in a body of type ${FORM}.`);
  }
  return parseForm(await readText(request, maxBodyBytes), 'malformed_body');
}

function readText(request: Request, maxBodyBytes: number): Promise<string> {
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

function parseForm(form: string, code: 'malformed_url' | 'malformed_body'): RawParameter[] {
  const parameters: RawParameter[] = [];
  for (const pair of form.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    parameters.push({ name: decode(name, code), value: decode(value, code) });
  }
  return parameters;
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
