// The bounds of the HTTP server itself: how long a client may take and how much it may send before a request is made of
// it. Whoever oversteps them still gets a problem it can read.
import type { INestApplication } from '@nestjs/common';
import { STATUS_CODES, type Server, type ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../config/config.js';
import type { ProblemCode } from '../problems/problem.js';
import { AllowedMethods } from './allowed-methods.js';
import { newRequestId } from './request-id.js';

export function serverOptions({ limits, ingest }: Config): ServerOptions {
  return {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    // The longest a body may take anywhere; all others are watched while they are in flight.
    requestTimeout: Math.max(limits.requestTimeoutMs, limits.headersTimeoutMs + ingest.bodyTimeoutMs + 1_000),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs / 2, 500),
    requireHostHeader: false, // the service never uses it; Node would answer with an empty 400
    noDelay: true,
  };
}

export function boundServer(app: INestApplication, { limits }: Config): void {
  const server: Server = app.getHttpServer();
  server.maxConnections = limits.maxConnections;
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else endWithProblem(socket, clientProblem(error.code));
  });
  const allowedMethods = app.get(AllowedMethods);
  server.on('connect', (_request, socket) =>
    endWithProblem(socket, { ...NO_PROXY, allow: allowedMethods.ofAll().join(', ') }),
  );
  // An Expect that is not understood is no reason not to answer.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

interface RawProblem {
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly allow?: string;
}

const NO_PROXY: RawProblem = {
  status: 405,
  code: 'method_not_allowed',
  detail: 'CONNECT is not offered here; this is not a proxy.',
};

function clientProblem(code: string | undefined): RawProblem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const detail = 'The address and the headers together are too long; shorten them.';
    return { status: 431, code: 'headers_too_large', detail };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const detail = 'The request took too long to arrive; send it again.';
    return { status: 408, code: 'request_timeout', detail };
  }
  return { status: 400, code: 'bad_request', detail: 'This is not a well-formed HTTP/1.1 request.' };
}

/** There is no request here, so no filter: the answer is written to the socket. */
function endWithProblem(socket: Duplex, { status, code, detail, allow }: RawProblem): void {
  const title = STATUS_CODES[status];
  const requestId = newRequestId();
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: requestId });
  const headers = [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    `X-Request-Id: ${requestId}`,
    ...(allow === undefined ? [] : [`Allow: ${allow}`]),
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
