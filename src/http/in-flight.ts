// The requests that are being worked on: each is answered in time, whatever it waits for, and when the service stops their
// callers are told to close the connection.
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { overloaded, requestTimeout } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';
import { connectionOf } from './connections.js';

declare global {
  namespace Express {
    interface Response {
      /** Where it stands among those in flight, and the times by which it must be whole, and be answered. */
      inFlight: { index: number; readonly since: number; bodyDeadline: number; deadline: number };
    }
  }
}

const LOOK_EVERY_MS = 250;
const GONE = -1;

@Injectable()
export class InFlight implements OnModuleInit, OnApplicationShutdown {
  /** Not a Map: what replaces a full one is referred to by it, which makes V8 keep finished requests until a major GC. */
  private readonly responses: Response[] = [];
  private readonly requestTimeoutMs: number;
  private readonly answerTimeoutMs: number;
  private closing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) { limits }: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.requestTimeoutMs = limits.requestTimeoutMs;
    this.answerTimeoutMs = limits.answerTimeoutMs;
  }

  onModuleInit(): void {
    this.timer = setInterval(() => this.answerOverdue(performance.now()), LOOK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  add(response: Response, now: number): void {
    if (this.closing) sayGoodbye(response);
    response.inFlight = {
      index: this.responses.length,
      since: now,
      bodyDeadline: now + this.requestTimeoutMs,
      deadline: now + this.answerTimeoutMs,
    };
    this.responses.push(response);
  }

  /** For a request that takes longer than others, and bounds by itself how long its body may take. */
  allow(response: Response, milliseconds: number, now = performance.now()): void {
    response.inFlight.bodyDeadline = now + milliseconds;
    response.inFlight.deadline = now + milliseconds;
  }

  /** The last one takes its place. May be called again for the same response: then it is gone already. */
  remove({ inFlight: place }: Response): void {
    if (place.index === GONE) return;
    const last = this.responses.pop();
    if (last !== undefined && last.inFlight !== place) {
      last.inFlight.index = place.index;
      this.responses[place.index] = last;
    }
    place.index = GONE;
  }

  get size(): number {
    return this.responses.length;
  }

  /** Whether each has been answered, though perhaps not read yet. */
  get areAnswered(): boolean {
    return this.responses.every(({ writableEnded }) => writableEnded);
  }

  /** From now on every answer, those under way included, is the last one on its connection. */
  closeConnections(): void {
    this.closing = true;
    for (const response of this.responses) {
      if (!response.headersSent) sayGoodbye(response);
    }
  }

  /**
   * What the request waited for ends by its own bounds. All that are overdue are let go: Node never closes an answer that was
   * waiting behind another when their connection was cut.
   */
  answerOverdue(now: number): void {
    const overdue = this.responses.filter((response) => isOverdue(response, now));
    for (const response of overdue) {
      this.remove(response);
      if (response.headersSent) continue;
      if (response.req.complete) this.giveUp(response);
      else sendProblem(requestTimeout(), response.req, response);
    }
  }

  private giveUp(response: Response): void {
    const { requestId } = response.req;
    const problem = overloaded();
    const message = `No answer within ${Math.round(performance.now() - response.inFlight.since)} ms: its time is over.`;
    this.logger.error({ request_id: requestId, code: problem.code, err: { message } });
    sendProblem(problem, response.req, response);
  }
}

/** The connection is closed after this answer, unless others were asked for behind it already. */
function sayGoodbye(response: Response): void {
  if (connectionOf(response.req.socket).queue.length === 0) response.setHeader('Connection', 'close');
}

function isOverdue({ inFlight, req, headersSent }: Response, now: number): boolean {
  return inFlight.deadline <= now || (inFlight.bodyDeadline <= now && !req.complete && !headersSent);
}
