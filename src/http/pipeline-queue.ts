// The requests of one connection are answered one at a time, in their order. So a client that sends requests without waiting for
// the answers (pipelining) costs no more than one that waits, and what ends a connection never overtakes an answer.
import type { Request, Response } from 'express';
import type { Socket } from 'node:net';

const QUEUE: unique symbol = Symbol('pipeline queue');
declare module 'node:net' {
  interface Socket {
    [QUEUE]?: PipelineQueue;
  }
}

/** How many requests may wait behind the one that is being answered; a client that sends more is cut off. */
const MAX_WAITING = 16;

type Answer = (request: Request, response: Response) => void;

export class PipelineQueue {
  /** The answer that is under way; undefined between requests. */
  current: Response | undefined;
  startedAt = 0;
  /** By when it must have been sent, where that is not the usual time. */
  deadline: number | undefined;
  /** The answers to the requests behind it. */
  readonly waiting: Response[] = [];
  /** Whatever still arrives is ignored. */
  isEnding = false;
  /** The connection is destroyed then, whatever its client does. */
  destroyAt = Infinity;
  idleSince = performance.now();
  /** `bytesRead` of the socket when the last answer was sent; if there are more now, another request has begun. */
  bytesAnswered: number | undefined;
  private ignored = 0;

  constructor(readonly socket: Socket) {}

  static of(socket: Socket): PipelineQueue {
    return (socket[QUEUE] ??= new PipelineQueue(socket));
  }

  add(response: Response, answer: Answer): void {
    if (this.isEnding) this.ignored++;
    else if (this.current === undefined) this.start(response, answer);
    else this.waiting.push(response);
    if (this.waiting.length + this.ignored > MAX_WAITING) this.socket.destroy();
  }

  /** Ends the connection in this way when all requests are answered, unless the last answer closes it. */
  endWith(end: () => void): void {
    this.isEnding = true;
    const last = this.waiting.at(-1) ?? this.current;
    if (last === undefined) return end();
    // Before Node's own listener, in which it closes the connection if the client has closed its half.
    last.prependOnceListener('finish', () => {
      if (last.shouldKeepAlive && !last.hasHeader('Connection')) end();
    });
  }

  private start(response: Response, answer: Answer): void {
    this.current = response;
    this.startedAt = performance.now();
    this.deadline = undefined;
    response.once('close', () => this.finish(answer));
    answer(response.req, response);
  }

  private finish(answer: Answer): void {
    this.current = undefined;
    this.idleSince = performance.now();
    this.bytesAnswered = this.socket.bytesRead;
    const next = this.waiting.shift();
    if (next !== undefined && !this.socket.destroyed) this.start(next, answer);
  }
}
