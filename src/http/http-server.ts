// The limits of the HTTP server itself: how much a client may send, and how long it may take to send a request or read an answer.
import type { INestApplication } from '@nestjs/common';
import type { Server, ServerOptions } from 'node:http';
import type { Config } from '../config/config.js';
import { Connections } from './connections.js';
import { ProtocolErrors } from './protocol-errors.js';
import { isBodyTooLarge } from './request-body.js';

export function serverOptions({ limits, ingest }: Config): ServerOptions {
  return {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    // The longest that any body may take; Connections knows the shorter times.
    requestTimeout: Math.max(limits.requestTimeoutMs, limits.headersTimeoutMs + ingest.bodyTimeoutMs + 1_000),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(Math.ceil(limits.headersTimeoutMs / 2), 500),
    requireHostHeader: false, // the service never uses it; Node would answer with an empty 400
  };
}

export function boundServer(app: INestApplication, { limits }: Config): void {
  const server: Server & { httpAllowHalfOpen?: boolean } = app.getHttpServer();
  server.maxConnections = limits.maxConnections;
  server.timeout = limits.unreadTimeoutMs;
  // A client may close its half of the connection after its last request; it is answered all the same.
  server.httpAllowHalfOpen = true;
  app.get(Connections).watch(server);
  app.get(ProtocolErrors).listen(server);
  // An unknown Expect is ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    if (!isBodyTooLarge(request, limits.maxBodyBytes)) response.writeContinue();
    server.emit('request', request, response);
  });
}
