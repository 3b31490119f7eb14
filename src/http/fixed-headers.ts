// A departure from stock, for speed. Headers that are the same for every answer join its head as text, without the checks of
// setHeader() for each of them. One that is set on a response as usual takes the place of the fixed one of its name.
import type { Express, Response } from 'express';
import { ServerResponse } from 'node:http';

declare global {
  namespace Express {
    interface Response {
      fixedHeaders?: FixedHeaders;
    }
  }
}

export interface FixedHeaders {
  /** Header lines by their names in lower case, each with its CRLF. */
  readonly lines: ReadonlyMap<string, string>;
  readonly text: string;
}

export function fixedHeaders(headers: Readonly<Record<string, string>>): FixedHeaders {
  const lines = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), `${name}: ${value}\r\n`] as const,
  );
  return { lines: new Map(lines), text: lines.map(([, line]) => line).join('') };
}

export function setFixedHeaders(response: Response, headers: FixedHeaders): void {
  response.fixedHeaders = headers;
}

/** Node's own, undocumented: the only place where lines can join a head without being taken apart again. */
interface WithHead extends ServerResponse {
  _storeHeader(statusLine: string, headers: unknown): void;
  fixedHeaders?: FixedHeaders;
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
  const { fixedHeaders: fixed } = response;
  if (fixed === undefined) return '';
  const replaced = response.getHeaderNames().filter((name) => fixed.lines.has(name));
  if (replaced.length === 0) return fixed.text;
  return [...fixed.lines].map(([name, line]) => (replaced.includes(name) ? '' : line)).join('');
}
