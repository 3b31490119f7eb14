// The requests that are being worked on: each is answered in time, whatever it waits for, and when the service stops their
// callers are told to close the connection.
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { overloaded } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';

declare global {
  namespace Express {
    interface Response {
      /** Where it stands among those in flight, and the time by which it must be answered. */
      inFlight: { index: number; readonly deadline: number };
    }
  }
}

const LOOK_EVERY_MS = 250;

@Injectable()
export class InFlight implements OnModuleInit, OnApplicationShutdown {
  /** Not a Map: what replaces a full one is referred to by it, which makes V8 keep finished requests until a major GC. */
  private readonly responses: Response[] = [];
  private readonly answerTimeoutMs: number;
  private closing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(CONFIG) { limits }: Config) {
    this.answerTimeoutMs = limits.answerTimeoutMs;
  }

  onModuleInit(): void {
    this.timer = setInterval(() => this.answerOverdue(performance.now()), LOOK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  add(response: Response, now: number): void {
    if (this.closing) response.setHeader('Connection', 'close');
    response.inFlight = { index: this.responses.length, deadline: now + this.answerTimeoutMs };
    this.responses.push(response);
  }

  /** The last one takes its place. */
  remove(response: Response): void {
    const last = this.responses.pop();
    if (last === undefined || last === response) return;
    last.inFlight.index = response.inFlight.index;
    this.responses[response.inFlight.index] = last;
  }

  /** From now on every answer, those under way included, is the last one on its connection. */
  closeConnections(): void {
    this.closing = true;
    for (const response of this.responses) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /** What the request waited for ends by its own bounds. */
  private answerOverdue(now: number): void {
    for (const response of this.responses) {
      if (response.inFlight.deadline <= now && !response.headersSent) {
        sendProblem(overloaded(), response.req, response);
      }
    }
  }
}
