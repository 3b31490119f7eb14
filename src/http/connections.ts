// The open connections and their timeouts. Whatever a client does, its place is free again within a bound, and every request is
// answered in time. Node's own timeouts end clients that send nothing, read nothing or are too slow; the rest is done here.
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { overloaded, requestTimeout } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';
import { PipelineQueue } from './pipeline-queue.js';

const SWEEP_EVERY_MS = 250;
/** For one request and its answer. A client that sends all the time is never idle for Node's timeouts. */
const MAX_EXCHANGE_MS = 900_000;

@Injectable()
export class Connections {
  readonly open = new Set<PipelineQueue>();
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const queue = PipelineQueue.of(socket);
      this.open.add(queue);
      // Node removes its own listener from the socket of a CONNECT; without any, a reset would end the process.
      socket.on('error', () => undefined);
      socket.on('close', () => this.open.delete(queue));
    });
    // Nothing was sent or received for so long. A request that is being worked on has bounds of its own.
    server.on('timeout', (socket: Socket) => {
      if (PipelineQueue.of(socket).current?.headersSent === false) socket.setTimeout(server.timeout);
      else socket.destroy();
    });
    const timer = setInterval(() => this.sweep(performance.now()), SWEEP_EVERY_MS).unref();
    server.on('close', () => clearInterval(timer));
  }

  /** Whether every request has its answer, though it may not have been read yet. */
  get areAnswered(): boolean {
    return [...this.open].every(
      ({ current, waiting }) => current?.writableEnded !== false && waiting.length === 0,
    );
  }

  /** From now on every answer, those under way included, is the last one on its connection. */
  stopKeepingAlive(): void {
    this.isStopping = true;
    for (const { current } of this.open) if (current !== undefined) this.closeIfStopping(current);
  }

  /** Unless other requests wait behind this one. */
  closeIfStopping(response: Response): void {
    if (!this.isStopping || response.headersSent) return;
    if (PipelineQueue.of(response.req.socket).waiting.length === 0) response.setHeader('Connection', 'close');
  }

  /** Those between two requests; `alsoUnused`: those with no request yet, or half of one, too. */
  closeIdle(alsoUnused: boolean): void {
    for (const { current, socket, bytesAnswered } of this.open) {
      if (current === undefined && (alsoUnused || bytesAnswered === socket.bytesRead)) socket.destroy();
    }
  }

  private sweep(now: number): void {
    const { keepAliveTimeoutMs, requestTimeoutMs } = this.config.limits;
    // A client that sends empty lines keeps Node's keep-alive timeout from ending. A request that has begun still has its time.
    const maxIdleMs = keepAliveTimeoutMs + requestTimeoutMs;
    for (const queue of this.open) {
      const { current, startedAt, idleSince, destroyAt, socket } = queue;
      const end = current === undefined ? idleSince + maxIdleMs : startedAt + MAX_EXCHANGE_MS;
      if (now > Math.min(end, destroyAt)) socket.destroy();
      else if (current?.headersSent === false) this.answerIfOverdue(current, queue, now);
    }
  }

  /** What the request waited for ends by its own bounds. */
  private answerIfOverdue(response: Response, { startedAt, deadline }: PipelineQueue, now: number): void {
    const { req: request } = response;
    const { answerTimeoutMs, requestTimeoutMs } = this.config.limits;
    const timeoutMs = request.complete ? answerTimeoutMs : Math.min(answerTimeoutMs, requestTimeoutMs);
    if (now < (deadline ?? startedAt + timeoutMs)) return;
    const problem = request.complete ? overloaded() : requestTimeout();
    const message = `No answer within ${Math.round(now - startedAt)} ms.`;
    if (request.complete)
      this.logger.error({ request_id: request.requestId, code: problem.code, err: { message } });
    sendProblem(problem, request, response);
    response.end(); // what works on the request must find it answered
  }
}

/** Gives the request that is being answered so much time from now, for its body and its answer. */
export function allowTime(response: Response, milliseconds: number): void {
  PipelineQueue.of(response.req.socket).deadline = performance.now() + milliseconds;
}
