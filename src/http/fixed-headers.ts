// A departure from stock, for speed. Headers that are the same for every answer, and its id, join its head as text, without the
// checks of setHeader() for each of them. One that is set on a response as usual takes the place of the fixed one of its name.
import type { Express, Response } from 'express';
import { ServerResponse } from 'node:http';

declare global {
  namespace Express {
    interface Response {
      fixedHeaders?: FixedHeaders;
      requestIdLine?: string;
    }
  }
}

export interface FixedHeaders {
  /** Header lines by their names in lower case, each with its CRLF. */
  readonly lines: ReadonlyMap<string, string>;
  readonly text: string;
}

const REQUEST_ID = 'X-Request-Id';
const REQUEST_ID_KEY = REQUEST_ID.toLowerCase();

export function fixedHeaders(headers: Readonly<Record<string, string>>): FixedHeaders {
  const lines = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), `${name}: ${value}\r\n`] as const,
  );
  return { lines: new Map(lines), text: lines.map(([, line]) => line).join('') };
}

export function setFixedHeaders(response: Response, headers: FixedHeaders): void {
  response.fixedHeaders = headers;
}

/** It goes out as it is given, so it has to be checked before. */
export function setRequestId(response: Response, id: string): void {
  response.requestIdLine = `${REQUEST_ID}: ${id}\r\n`;
}

/** Node's own, undocumented: the only place where lines can join a head without being taken apart again. */
interface WithHead extends ServerResponse {
  _storeHeader(statusLine: string, headers: unknown): void;
  fixedHeaders?: FixedHeaders;
  requestIdLine?: string;
}

const NODE_RESPONSE = ServerResponse.prototype as WithHead;

/* oxlint-disable no-underscore-dangle -- its name */
export function writeFixedHeaders(app: Express): void {
  const response = app.response as unknown as WithHead;
  response._storeHeader = function (this: WithHead, statusLine: string, headers: unknown): void {
    NODE_RESPONSE._storeHeader.call(this, statusLine + textFor(this), headers);
  };
}
/* oxlint-enable no-underscore-dangle */

function textFor(response: WithHead): string {
  const { fixedHeaders: fixed, requestIdLine: id = '' } = response;
  if (fixed === undefined) return id;
  const set = response.getHeaderNames();
  if (!set.some((name) => fixed.lines.has(name) || name === REQUEST_ID_KEY)) return fixed.text + id;
  const kept = [...fixed.lines, [REQUEST_ID_KEY, id] as const].filter(([name]) => !set.includes(name));
  return kept.map(([, line]) => line).join('');
}
