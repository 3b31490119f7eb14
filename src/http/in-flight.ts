// The requests that are being worked on, oldest first: each is answered in time, whatever it waits for, and when the
// service stops their callers are told to close the connection.
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { overloaded } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';

const LOOK_EVERY_MS = 250;

@Injectable()
export class InFlight implements OnModuleInit, OnApplicationShutdown {
  /** With the time by which each must be answered; a Map keeps the order in which they came. */
  private readonly deadlines = new Map<Response, number>();
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
    this.deadlines.set(response, now + this.answerTimeoutMs);
  }

  remove(response: Response): void {
    this.deadlines.delete(response);
  }

  /** From now on every answer, those under way included, is the last one on its connection. */
  closeConnections(): void {
    this.closing = true;
    for (const response of this.deadlines.keys()) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /** What the request waited for ends by its own bounds. */
  private answerOverdue(now: number): void {
    for (const [response, deadline] of this.deadlines) {
      if (deadline > now) return;
      this.deadlines.delete(response);
      if (!response.headersSent) sendProblem(overloaded(), response.req, response);
    }
  }
}
