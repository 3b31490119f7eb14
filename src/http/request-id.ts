// Every request has an id: the caller's X-Request-Id when it is sane, else a new one. It is on every response.
import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SANE = /^[\w.:+/=@-]{1,128}$/;
const ids = new WeakMap<IncomingMessage, string>();

export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Request-Id', requestIdOf(request));
  next();
}

export function requestIdOf(request: IncomingMessage): string {
  let id = ids.get(request);
  if (id === undefined) {
    const given = request.headers['x-request-id'];
    id = typeof given === 'string' && SANE.test(given) ? given : randomUUID();
    ids.set(request, id);
  }
  return id;
}
