// What never becomes a request, or not a whole one, still gets a problem it can read: not HTTP at all, too long, too slow, or
// CONNECT. What was asked properly before it on the same connection is answered first; then the refusal, and the connection ends.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { badRequest, Problem, requestTimeout } from '../problems/problem.js';
import { problemBody, sendProblem } from '../problems/send-problem.js';
import { AllowedMethods } from './allowed-methods.js';
import { closeAfter, closeGently, connectionOf, type Connection } from './connections.js';
import { RequestEdge } from './request-edge.js';
import { newRequestId } from './request-id.js';
import { Turns } from './turns.js';

/** What a log line says where no method could be read. */
const NO_METHOD = 'NONE';

@Injectable()
export class Refusals {
  private readonly requestTimeoutMs: number;

  constructor(
    private readonly edge: RequestEdge,
    private readonly turns: Turns,
    private readonly allowedMethods: AllowedMethods,
    @Inject(CONFIG) { limits }: Config,
  ) {
    this.requestTimeoutMs = limits.requestTimeoutMs;
  }

  listen(server: Server): void {
    server.on('clientError', (error: Error & { code?: string }, socket) =>
      this.onError(asSocket(socket), error.code),
    );
    server.on('connect', (_request, stream) => {
      const socket = asSocket(stream);
      this.refuseInTurn(connectionOf(socket), this.notAProxy(), 'CONNECT');
    });
  }

  private onError(socket: Socket, code: string | undefined): void {
    const connection = connectionOf(socket);
    if (connection.isClosing || connection.afterwards !== undefined) return;
    if (!socket.writable || code === 'ECONNRESET') socket.destroy();
    else if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection.queue.length > 0) this.giveTime(connection);
    else this.refuse(connection, problemOf(code));
  }

  private refuse(connection: Connection, problem: Problem): void {
    const { current, queue } = connection;
    const last = queue.at(-1) ?? current;
    if (last === undefined || last.request.complete) return this.refuseInTurn(connection, problem, NO_METHOD);
    // It is the body of this last one that cannot be read.
    if (last !== current) {
      this.turns.withdrawLast(connection);
      this.refuseInTurn(connection, problem, last.request.method ?? NO_METHOD);
    } else if (last.response.headersSent) {
      closeGently(connection.socket);
    } else {
      // Express made them.
      this.answer(last.request as unknown as Request, last.response as unknown as Response, problem);
    }
  }

  private answer(request: Request, response: Response, problem: Problem): void {
    closeAfter(response);
    sendProblem(problem, request, response);
  }

  private refuseInTurn(connection: Connection, problem: Problem, method: string): void {
    const { socket } = connection;
    // Nothing that still arrives is looked at.
    socket.removeAllListeners('data');
    socket.on('data', () => undefined);
    connection.afterwards = () => this.writeRefusal(socket, problem, method);
    if (connection.current === undefined && connection.queue.length === 0) connection.afterwards();
    else socket.resume();
  }

  private writeRefusal(socket: Socket, problem: Problem, method: string): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = newRequestId();
    const body = JSON.stringify(problemBody(problem, requestId));
    const headers = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      ...Object.entries({ Connection: 'close', ...problem.headers }).map(
        ([name, value]) => `${name}: ${value}`,
      ),
    ];
    closeGently(socket, `${headers.join('\r\n')}\r\n\r\n${body}`);
    this.edge.observeRefusal(requestId, method, problem.status);
  }

  /** Its request could not arrive while others waited before it and the connection was not read: its time begins after them. */
  private giveTime(connection: Connection): void {
    connection.afterwards = () => {
      connection.afterwards = undefined;
      const since = connection.idleSince;
      setTimeout(() => {
        if (connection.isIdle && connection.idleSince === since) this.refuse(connection, requestTimeout());
      }, this.requestTimeoutMs).unref();
    };
  }

  private notAProxy(): Problem {
    return new Problem({
      status: 405,
      code: 'method_not_allowed',
      detail: 'CONNECT is not offered here; this is not a proxy.',
      headers: { Allow: this.allowedMethods.ofAll().join(', ') },
    });
  }
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  if (code === 'HPE_HEADER_OVERFLOW') {
    const detail = 'The address and the headers together are too long; shorten them.';
    return new Problem({ status: 431, code: 'headers_too_large', detail });
  }
  return badRequest('bad_request', 'This is not a well-formed HTTP/1.1 request.');
}

function asSocket(stream: Duplex): Socket {
  if (!(stream instanceof Socket)) throw new Error('An HTTP connection that is no socket.');
  return stream;
}
