// The first and the last step of every request: it gets an id and the headers every answer has, and in the end one log line and,
// when metrics are on, a metric.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { compressFor } from './compression.js';
import { Connections } from './connections.js';
import { compareTagsAlways } from './etag.js';
import { newRequestId } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { expectsBody } from './request-body.js';
import { divertUnreadable, UNMATCHED } from './unmatched.controller.js';

declare global {
  namespace Express {
    interface Request {
      /** The caller's X-Request-Id when it is valid, else a new one. */
      requestId: string;
      /** How long it has waited for something to happen, because its caller asked for that. */
      waitedMs?: number;
    }
  }
}

const COMMON_HEADERS = Object.entries({
  ...SECURITY_HEADERS,
  // Answers may be cached, but must be validated (by their ETag) before they are used.
  'Cache-Control': 'private, no-cache',
});

const VALID_ID = /^[\w.:+/=@-]{1,128}$/;

@Injectable()
export class RequestEdge {
  constructor(
    private readonly connections: Connections,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  receive(request: Request, response: Response): void {
    const started = performance.now();
    const given = request.headers['x-request-id'];
    request.requestId = typeof given === 'string' && VALID_ID.test(given) ? given : newRequestId();
    for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value);
    response.setHeader('X-Request-Id', request.requestId);
    compressFor(request, response);
    this.connections.closeIfStopping(response);
    response.on('close', () => this.observe(request, response, started));
    compareTagsAlways(request);
    if (expectsBody(request)) closeUnlessRead(request, response);
    // Node ignores what comes after one of these.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    divertUnreadable(request, this.config.limits);
  }

  /** Of what the caller sent, only the route's template is logged: no ids, no filters, no personal data. */
  private observe(request: Request, response: Response, started: number): void {
    const { requestId, method, caller } = request;
    const status = response.writableFinished ? response.statusCode : 499; // the client left before it was sent
    const milliseconds = Math.round((performance.now() - started - (request.waitedMs ?? 0)) * 100) / 100;
    this.log(requestId, method, status, routeOf(request), milliseconds, caller?.keyPrefix);
  }

  /** What never became a request has only the first three. */
  log(id: string, method: string, status: number, route = 'unmatched', milliseconds = 0, key?: string): void {
    this.logger.info({ request_id: id, method, route, status, duration_ms: milliseconds, key });
    if (this.metrics.isOn) this.metrics.observeRequest(method, route, status, milliseconds);
  }
}

/** An answer that is sent before its whole request has arrived is the last on its connection: the rest is not read. */
function closeUnlessRead(request: Request, response: Response): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('end', () => (response.shouldKeepAlive = shouldKeepAlive));
}

function routeOf(request: Request): string {
  const route: unknown = request.route?.path;
  return typeof route === 'string' && route !== UNMATCHED ? route : 'unmatched';
}
