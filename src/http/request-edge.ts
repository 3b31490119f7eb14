// What happens to every request before and after everything else: it gets an id and the headers every answer has, is
// watched until it is answered, and leaves one log line and, when they are on, a metric.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { compressFor } from './compression.js';
import { closeAfter } from './connections.js';
import { compareTagsAlways } from './etag.js';
import { InFlight } from './in-flight.js';
import { newRequestId } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { expectsBody } from './request-body.js';
import { Turns } from './turns.js';
import { divertUnreadable, UNMATCHED } from './unmatched.controller.js';

declare global {
  namespace Express {
    interface Request {
      /** The caller's X-Request-Id when it is sane, else a new one. */
      requestId: string;
    }
  }
}

const HEADERS_OF_ALL = Object.entries({
  ...SECURITY_HEADERS,
  // Answers may be kept, but must be asked about again (with their ETag) before they are used.
  'Cache-Control': 'private, no-cache',
});

interface RequestFacts {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly keyPrefix: string | undefined;
}

const SANE_ID = /^[\w.:+/=@-]{1,128}$/;

/** Not a status that was sent: the client left before the answer was. */
const CLIENT_LEFT = 499;

@Injectable()
export class RequestEdge {
  constructor(
    private readonly inFlight: InFlight,
    private readonly turns: Turns,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  receive(request: Request, response: Response): void {
    const started = performance.now();
    const given = request.headers['x-request-id'];
    request.requestId = typeof given === 'string' && SANE_ID.test(given) ? given : newRequestId();
    for (const [name, value] of HEADERS_OF_ALL) response.setHeader(name, value);
    response.setHeader('X-Request-Id', request.requestId);
    compressFor(request, response);
    this.inFlight.add(response, started);
    response.on('close', () => this.observe(request, response, started));
    compareTagsAlways(request);
    if (expectsBody(request)) closeUnlessRead(request, response);
    // Node does not look at what comes behind one of these.
    if (request.headers.upgrade !== undefined) closeAfter(response);
    divertUnreadable(request, this.config.limits);
  }

  /** What the server itself answers to something that never became a request. */
  observeRefusal(requestId: string, method: string, status: number): void {
    this.tell({ requestId, method, route: 'unmatched', status, milliseconds: 0, keyPrefix: undefined });
  }

  /** Of what the caller sent, only the route's template is told: no ids, no filters, no personal data. */
  private observe(request: Request, response: Response, started: number): void {
    this.inFlight.remove(response);
    const { method, requestId, caller } = request;
    const route = routeOf(request);
    const status = response.writableFinished ? response.statusCode : CLIENT_LEFT;
    const milliseconds = Math.round((performance.now() - started) * 100) / 100;
    this.tell({ requestId, method, route, status, milliseconds, keyPrefix: caller?.keyPrefix });
    this.turns.finish(request.socket);
  }

  private tell(facts: RequestFacts): void {
    const { requestId, method, route, status, milliseconds, keyPrefix } = facts;
    this.logger.info({
      request_id: requestId,
      method,
      route,
      status,
      duration_ms: milliseconds,
      key: keyPrefix,
    });
    if (this.metrics.isOn)
      this.metrics.observeRequest(facts.method, facts.route, facts.status, facts.milliseconds);
  }
}

/** An answer that is out before its request has arrived whole is the last on its connection: nobody waits for the rest. */
function closeUnlessRead(request: Request, response: Response): void {
  const { shouldKeepAlive } = response;
  closeAfter(response);
  request.once('end', () => (response.shouldKeepAlive = shouldKeepAlive));
}

function routeOf(request: Request): string {
  const route: unknown = request.route?.path;
  return typeof route === 'string' && route !== UNMATCHED ? route : 'unmatched';
}
