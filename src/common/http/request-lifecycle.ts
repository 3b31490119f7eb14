// The first and the last step of every request: it gets an id and the headers every answer has, and in the end one log line and,
// when metrics or tracing are on, a metric and a span.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { beginSpan, type Span } from '../../platform/tracing/tracing.js';
import type { ProblemCode } from '../problems/problem.js';
import { compressFor } from './compression.js';
import { Connections } from './connections.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { UNMATCHED } from './unmatched.controller.js';
import { randomUUID } from 'node:crypto';

declare global {
  namespace Express {
    interface Request {
      /** The caller's X-Request-Id when it is valid, else a new one. */
      requestId: string;
      /** How long it has waited for something to happen, because its caller asked for that. */
      waitedMs?: number;
      /** While spans are exported. */
      span?: Span | undefined;
      /** Of the problem that it was answered with. */
      problemCode?: ProblemCode;
    }
  }
}

const COMMON_HEADERS = Object.entries({
  ...SECURITY_HEADERS,
  // Answers may be cached, but must be validated (by their ETag) before they are used.
  'Cache-Control': 'private, no-cache',
});

/** Whatever it answers. */
const SIGNS_IN = /^\/auth\//i;

const VALID_ID = /^[\w.:+/=@-]{1,128}$/;

@Injectable()
export class RequestLifecycle {
  constructor(
    private readonly connections: Connections,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `answer`: what comes next, when it is the request's turn. */
  receive(request: Request, response: Response, answer: () => void): void {
    const started = performance.now();
    const given = request.headers['x-request-id'];
    request.span = isProbe(request) ? undefined : beginSpan(request.headers);
    request.requestId = typeof given === 'string' && VALID_ID.test(given) ? given : randomUUID();
    for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value);
    if (SIGNS_IN.test(request.url)) response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Request-Id', request.requestId);
    compressFor(request, response);
    this.connections.begin(response);
    response.once('close', () => this.observe(request, response, started));
    // Node ignores what comes after one of these.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    this.connections.inTurn(response, answer);
  }

  /** Of what the caller sent, only the route's template is logged: no ids, no filters, no personal data. */
  private observe(request: Request, response: Response, started: number): void {
    const { requestId, method, caller, span, problemCode: code } = request;
    const status = response.writableFinished ? response.statusCode : 499; // the client left before it was sent
    const milliseconds = hundredths(performance.now() - started - (request.waitedMs ?? 0));
    const route = findRoute(request);
    this.logger.info({
      request_id: requestId,
      method,
      route,
      status,
      duration_ms: milliseconds,
      database_ms: span && hundredths(span.databaseMs),
      key: caller?.kind === 'key' ? caller.id : undefined,
      user: caller?.kind === 'user' ? caller.id : undefined,
      code,
      trace_id: span?.traceId,
    });
    if (this.metrics.isOn) this.metrics.observeRequest(method, route, status, milliseconds, caller?.id);
    span?.end(
      `${method} ${route}`,
      {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'api_key.prefix': caller?.kind === 'key' ? caller.id : undefined,
        'user.id': caller?.kind === 'user' ? caller.id : undefined,
        'error.type': code,
      },
      status >= 500,
    );
  }
}

/** Of load balancers and orchestrators, every few seconds: spans of these would hide the others. */
function isProbe({ url }: Request): boolean {
  return url.startsWith('/health/');
}

function hundredths(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

function findRoute(request: Request): string {
  const route: unknown = request.route?.path;
  return typeof route === 'string' && route !== UNMATCHED ? route : 'unmatched';
}
