// The open connections and what is being answered on each. Node's own options (service-adapter.ts) limit most of what a client may do;
// here is the rest: every request is answered in time, no place is held for ever, and each connection ends with a last answer.
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { findCode } from '../../platform/database/failures.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { overloaded, requestTimeout } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';

/** Node hands over all requests of a connection at once. A client that sends more without waiting is cut off. */
const MAX_AT_ONCE = 17;

/** Bytes that Node's parser refuses, and what is not complete in time. */
const NOT_HTTP = /^(HPE_|ERR_HTTP_REQUEST_TIMEOUT)/;
const REPORT_INVALID_EVERY_MS = 60_000;

/** How often it is looked for what has taken too long. A timer for each request would cost a small read a hundredth. */
const SWEEP_EVERY_MS = 50;

declare global {
  namespace Express {
    interface Response {
      /** By performance.now(). From then on the request is answered with a problem. */
      answerUntil?: number;
    }
  }
}

interface Connection {
  /** In the order of their requests. */
  readonly inProgress: Response[];
  /** When a request began or ended on it, by performance.now(). If none does for long its client reads nothing, or sends empty lines. */
  activeAt: number;
}

@Injectable()
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private isStopping = false;
  /** What was not HTTP since the last line about it; `quiet` until the next. */
  private invalid = 0;
  private quiet: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `httpAllowHalfOpen`: a client may close its half of the connection after its last request; it is answered all the same. */
  watch(server: Server & { httpAllowHalfOpen?: boolean }): void {
    server.maxConnections = this.config.limits.maxConnections;
    server.httpAllowHalfOpen = true;
    this.noteInvalidOn(server);
    const sweeping = setInterval(() => this.endOverdue(performance.now()), SWEEP_EVERY_MS).unref();
    server.once('close', () => clearInterval(sweeping));
    server.on('connection', (socket: Socket) => {
      // Before Node's 408: browsers open connections ahead of need, and would take it for the answer to their first request.
      const unusedMs = 0.9 * this.config.limits.headersTimeoutMs;
      const unused = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), unusedMs);
      const inProgress: Response[] = [];
      this.open.set(socket, { inProgress, activeAt: performance.now() });
      socket.on('close', () => {
        clearTimeout(unused);
        this.open.delete(socket);
        // Node tells only the one whose turn it is.
        for (const response of inProgress.filter((one) => one.socket === null)) response.emit('close');
      });
    });
  }

  /** Not a listener of `clientError`: with one, Node would no longer answer by itself. */
  private noteInvalidOn(server: Server): void {
    const emit = server.emit.bind(server);
    server.emit = (event: string, ...values: unknown[]): boolean => {
      const [error, socket] = values;
      if (event === 'clientError' && NOT_HTTP.test(findCode(error) ?? '') && socket instanceof Socket) {
        if (this.open.get(socket)?.inProgress.length === 0) this.noteInvalid();
      }
      return emit(event, ...values);
    };
  }

  private noteInvalid(): void {
    this.metrics.count('http_invalid_requests_total', {});
    this.invalid += 1;
    if (this.quiet === undefined) this.reportInvalid();
  }

  /** Once a minute at most. */
  private reportInvalid(): void {
    this.quiet = undefined;
    if (this.invalid === 0) return;
    this.logger.warn({ requests: this.invalid }, 'what was sent is not HTTP, and was refused');
    this.invalid = 0;
    this.quiet = setTimeout(() => this.reportInvalid(), REPORT_INVALID_EVERY_MS).unref();
  }

  begin(response: Response): void {
    const { socket } = response.req;
    const now = performance.now();
    const connection = this.open.get(socket) ?? { inProgress: [], activeAt: now };
    const { inProgress } = connection;
    inProgress.push(response);
    connection.activeAt = now;
    response.once('close', () => {
      inProgress.splice(inProgress.indexOf(response), 1);
      connection.activeAt = performance.now();
    });
    if (this.isStopping) closeAfterLast(inProgress);
    if (inProgress.length > MAX_AT_ONCE) socket.destroy();
  }

  /**
   * Answers a request once the connection has taken the answers to all earlier ones, and not in the same turn of the event loop: a client that
   * sends many requests and reads nothing makes no more work than one.
   */
  inTurn(response: Response, answer: () => void): void {
    const { socket } = response.req;
    const inProgress = this.open.get(socket)?.inProgress ?? [];
    const earlier = inProgress[inProgress.indexOf(response) - 1];
    const begin = (): void => {
      if (socket.destroyed) return;
      response.answerUntil = performance.now() + this.config.limits.answerTimeoutMs;
      answer();
    };
    if (earlier === undefined) begin();
    else earlier.once('close', () => setImmediate(begin));
  }

  /** Whether every request has its answer, and its client has read it. */
  get areAnswered(): boolean {
    return [...this.open.values()].every(({ inProgress }) => inProgress.length === 0);
  }

  /** From now on every answer, those under way included, is the last one on its connection. */
  stopKeepingAlive(): void {
    this.isStopping = true;
    for (const { inProgress } of this.open.values()) closeAfterLast(inProgress);
  }

  private endOverdue(now: number): void {
    const { exchangeTimeoutMs } = this.config.limits;
    for (const [socket, { inProgress, activeAt }] of this.open) {
      if (now - activeAt >= exchangeTimeoutMs) socket.destroy();
      for (const response of inProgress)
        if (now >= (response.answerUntil ?? Infinity)) this.answerOverdue(response);
    }
  }

  /** What the request waited for ends by its own limits. */
  private answerOverdue(response: Response): void {
    const { req: request } = response;
    if (response.headersSent) return;
    const problem = request.complete ? overloaded() : requestTimeout();
    if (request.complete) {
      const message = 'No answer within the time of this request.';
      const { requestId, span } = request;
      const facts = { request_id: requestId, trace_id: span?.traceId, code: problem.code };
      this.logger.error({ ...facts, err: { message } });
    }
    sendProblem(problem, request, response);
  }
}

function closeAfterLast(inProgress: readonly Response[]): void {
  const unsent = inProgress.filter(({ headersSent }) => !headersSent);
  for (const response of unsent) if (response.hasHeader('Connection')) response.removeHeader('Connection');
  unsent.at(-1)?.setHeader('Connection', 'close');
}

/** Gives the request so much time from now, for its body and its answer. */
export function allowTime(response: Response, milliseconds: number): void {
  response.answerUntil = performance.now() + milliseconds;
}
