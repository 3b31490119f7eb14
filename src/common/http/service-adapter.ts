// Nest's Express adapter with an HTTP server of ours: its limits are options of `createServer()`, and each request passes RequestLifecycle
// before Express sees it. Otherwise it is stock (stock-nest.spec.ts). What never becomes a request gets Node's own answer, an empty 400,
// 408 or 431, and the end of its connection.
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { createServer, type ServerOptions } from 'node:http';
import type { Config } from '../../platform/config/config.js';
import { inSpan } from '../../platform/tracing/tracing.js';
import { unknownAddress } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';
import { withPrototypesAtBirth } from './prototypes-at-birth.js';

/** How much a client may send, and how long it may take. */
export function serverLimits({ limits, ingest }: Config): ServerOptions {
  return {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    // The longest that any body may take, or what is left of one that nobody reads; a request has its own, shorter time.
    requestTimeout: Math.max(limits.answerTimeoutMs, limits.headersTimeoutMs + ingest.bodyTimeoutMs) + 1_000,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(Math.ceil(limits.headersTimeoutMs / 2), 500),
    requireHostHeader: false, // the service never uses it; Node would answer with an empty 400
  };
}

type Receiver = (request: Request, response: Response, answer: () => void) => void;

export class ServiceAdapter extends ExpressAdapter {
  /** Is called with every request before Express sees it, and hands it on: a layer of Express's chain costs more than what happens in it. */
  receive: Receiver = (_request, _response, answer) => answer();

  constructor(private readonly serverOptions: ServerOptions = {}) {
    super();
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const answer = (request: Request, response: Response): void => {
      if (request.socket.destroyed) return; // Node goes on with what it has read of the connection
      // Express has no route for a target without a path, such as http://, and would answer in HTML.
      const refuse = (): void => sendProblem(unknownAddress(), request, response);
      this.receive(request, response, () => inSpan(request.span, () => app(request, response, refuse)));
    };
    const options = { ...this.serverOptions, ...withPrototypesAtBirth(app) };
    this.httpServer = createServer(options, (request, response) =>
      answer(request as unknown as Request, response as unknown as Response),
    );
  }
}
