// The bounds of the HTTP server itself: how long a client may take, and how much it may send before a request is made of it.
import type { INestApplication } from '@nestjs/common';
import { STATUS_CODES, type Server, type ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.js';

export function serverOptions({ limits }: Config): ServerOptions {
  return {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs / 2, 1_000),
    noDelay: true,
  };
}

export function boundServer(app: INestApplication, { limits }: Config): void {
  const server: Server = app.getHttpServer();
  server.maxConnections = limits.maxConnections;
  server.on('clientError', answerClientError);
}

/** What is so malformed, slow or large that no request came of it still gets a problem it can read. */
function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, code, detail] = clientProblem(error.code);
  const body = JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    code,
    request_id: randomUUID(),
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

function clientProblem(code: string | undefined): [number, string, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'headers_too_large', 'The address and the headers together are too long; shorten them.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'request_timeout', 'The request took too long to arrive; send it again.'];
    default:
      return [400, 'bad_request', 'This is not a well-formed HTTP/1.1 request.'];
  }
}
