// What never becomes a whole request gets a problem as well: not HTTP at all, too long, too slow, or CONNECT. Earlier requests of
// the connection are answered first; then come the problem and the end of the connection.
import { Injectable } from '@nestjs/common';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, headersTooLarge, Problem, requestTimeout } from '../problems/problem.js';
import { LINGER_MS, problemBody, sendProblem } from '../problems/send-problem.js';
import { AllowedMethods } from './allowed-methods.js';
import { PipelineQueue } from './pipeline-queue.js';
import { RequestEdge } from './request-edge.js';
import { newRequestId } from './request-id.js';

/** For the answers before a CONNECT: Node removes its own timeouts from such a socket. */
const CONNECT_MS = 10_000;

@Injectable()
export class ProtocolErrors {
  constructor(
    private readonly edge: RequestEdge,
    private readonly allowedMethods: AllowedMethods,
  ) {}

  listen(server: Server): void {
    server.on('clientError', (error: Error & { code?: string }, stream) => {
      const queue = PipelineQueue.of(stream as Socket);
      if (queue.isEnding) return; // Node reports the rest of it, too
      if (!stream.writable || error.code === 'ECONNRESET') stream.destroy();
      else this.refuse(queue, problemOf(error.code));
    });
    server.on('connect', (_request, stream) => {
      const queue = PipelineQueue.of(stream as Socket);
      queue.destroyAt = performance.now() + CONNECT_MS;
      stream.resume().on('drain', () => queue.current?.emit('drain'));
      const detail = 'CONNECT is not offered here; this is not a proxy.';
      const headers = { Allow: this.allowedMethods.ofAll().join(', ') };
      const problem = new Problem({ status: 405, code: 'method_not_allowed', detail, headers });
      queue.endWith(() => this.writeProblem(queue, problem, 'CONNECT'));
    });
  }

  private refuse(queue: PipelineQueue, problem: Problem): void {
    const newest = queue.waiting.at(-1) ?? queue.current;
    // If it is the body of the newest request that cannot be read, the connection ends with its answer.
    const broken = newest?.req.complete === false ? newest : undefined;
    if (broken !== undefined && broken === queue.current) {
      if (broken.headersSent) return;
      sendProblem(problem, broken.req, broken);
      broken.end(); // what works on the request must find it answered
      return;
    }
    if (broken !== undefined) queue.waiting.pop();
    queue.endWith(() => this.writeProblem(queue, problem, broken?.req.method ?? 'NONE'));
  }

  /** The client may still be sending: it has a moment to read this before the connection is destroyed. */
  private writeProblem(queue: PipelineQueue, problem: Problem, method: string): void {
    const requestId = newRequestId();
    const body = JSON.stringify(problemBody(problem, requestId));
    const headers = {
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      Connection: 'close',
      ...problem.headers,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const statusLine = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n`;
    queue.socket.end(`${statusLine}${lines.join('')}\r\n${body}`);
    queue.destroyAt = performance.now() + LINGER_MS;
    this.edge.log(requestId, method, problem.status);
  }
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  return badRequest('bad_request', 'This is not a well-formed HTTP/1.1 request.');
}
