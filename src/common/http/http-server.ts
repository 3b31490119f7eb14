// The limits of the HTTP server itself, all by options of Node's: how much a client may send, and how long it may take. What never
// becomes a request gets Node's own answer, an empty 400, 408 or 431, and the end of its connection.
import type { INestApplication } from '@nestjs/common';
import type { Server, ServerOptions } from 'node:http';
import type { Config } from '../../platform/config/config.js';
import { Connections } from './connections.js';

export function serverOptions({ limits, ingest }: Config): ServerOptions {
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

export function limitServer(app: INestApplication, { limits }: Config): void {
  const server: Server & { httpAllowHalfOpen?: boolean } = app.getHttpServer();
  server.maxConnections = limits.maxConnections;
  // A client may close its half of the connection after its last request; it is answered all the same.
  server.httpAllowHalfOpen = true;
  app.get(Connections).watch(server);
}
