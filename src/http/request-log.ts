// One line per request: what was asked by which key, how it ended and how long it took. Never a value the caller sent but
// the path's template: no ids, no filters, no personal data.
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { callerOf } from '../auth/caller.js';
import type { Logger } from '../logging/logger.js';
import { requestIdOf } from './request-id.js';
import { UNMATCHED } from './unmatched.controller.js';

export function logRequests(logger: Logger): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const started = performance.now();
    response.once('close', () => {
      logger.info({
        request_id: requestIdOf(request),
        method: request.method,
        route: routeOf(request),
        status: response.writableFinished ? response.statusCode : 499, // the client left before the answer was sent
        duration_ms: Math.round((performance.now() - started) * 100) / 100,
        key: callerOf(request)?.keyPrefix,
      });
    });
    next();
  };
}

export function routeOf(request: Request): string {
  const route: unknown = request.route?.path;
  return typeof route === 'string' && route !== UNMATCHED ? route : 'unmatched';
}
