// Every request is observed once, when it has ended: a log line and, when they are on, a metric. The line says what was
// asked by which key, how it ended and how long it took; of what the caller sent, only the route's template: no ids, no
// filters, no personal data.
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { callerOf } from '../auth/caller.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { requestIdOf } from './request-id.js';
import { UNMATCHED } from './unmatched.controller.js';

/** Not a status that was sent: the client left before the answer was. */
const CLIENT_LEFT = 499;

export function observeRequests(logger: Logger, metrics: Metrics): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const started = performance.now();
    response.once('close', () => {
      const { method } = request;
      const route = routeOf(request);
      const status = response.writableFinished ? response.statusCode : CLIENT_LEFT;
      const milliseconds = Math.round((performance.now() - started) * 100) / 100;
      const key = callerOf(request)?.keyPrefix;
      logger.info({
        request_id: requestIdOf(request),
        method,
        route,
        status,
        duration_ms: milliseconds,
        key,
      });
      if (metrics.isOn) metrics.observeRequest(method, route, status, milliseconds);
    });
    next();
  };
}

function routeOf(request: Request): string {
  const route: unknown = request.route?.path;
  return typeof route === 'string' && route !== UNMATCHED ? route : 'unmatched';
}
