// The open connections. Whatever a client does or does not do, its place is free again within a bound: Node ends those that send
// nothing, read nothing or take too long; here end those that keep Node's clocks from running out, and those of a service that stops.
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';

const CONNECTION: unique symbol = Symbol('connection');
declare module 'node:net' {
  interface Socket {
    [CONNECTION]?: Connection;
  }
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export class Connection {
  /** What is being answered; one at a time. */
  current: Exchange | undefined;
  /** What was asked behind it and waits for its turn. */
  queue: Exchange[] = [];
  /** What is done when the last of them has been answered. */
  afterwards: (() => void) | undefined;
  /** Nothing that still arrives is looked at. */
  isClosing = false;
  /** How much had arrived when the last answer was out; what is more belongs to another request. */
  bytesAnswered: number | undefined;
  isPipelined = false;
  idleSince = performance.now();

  constructor(
    readonly socket: Socket,
    public index: number,
  ) {}

  get isIdle(): boolean {
    return this.current === undefined && this.queue.length === 0 && !this.isClosing;
  }

  get isBetweenRequests(): boolean {
    return this.isIdle && this.bytesAnswered === this.socket.bytesRead;
  }
}

export function connectionOf(socket: Socket): Connection {
  const connection = socket[CONNECTION];
  if (connection === undefined) throw new Error('A connection that was not watched from its start.');
  return connection;
}

/** How long a client may take to close a connection after its last answer. It may not have read it yet. */
const LINGER_MS = 2_000;

/**
 * Ends a connection so that the client can read what it was sent last: closing it while the client still sends would make the
 * system throw that away. What arrives until then is not looked at.
 */
export function closeGently(socket: Socket, lastWords?: string): void {
  connectionOf(socket).isClosing = true;
  socket.removeAllListeners('data'); // Node's parser
  socket.on('data', () => undefined);
  if (lastWords !== undefined) socket.write(lastWords);
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** This answer is the last one on its connection, though more may be on its way from the client. */
export function closeAfter(response: ServerResponse): void {
  const { socket } = response.req;
  response.shouldKeepAlive = false;
  socket.destroySoon = () => closeGently(socket); // which Node calls then
}

const SWEEP_EVERY_MS = 1_000;

@Injectable()
export class Connections implements OnModuleInit, OnApplicationShutdown {
  /** An array for the same reason as the requests in flight. */
  private readonly open: Connection[] = [];
  private readonly maxIdleMs: number;
  private timer: NodeJS.Timeout | undefined;
  /** How many there have been. */
  accepted = 0;

  constructor(@Inject(CONFIG) { limits }: Config) {
    // A request that began in the last moment still has its own time to arrive.
    this.maxIdleMs = limits.keepAliveTimeoutMs + limits.requestTimeoutMs + SWEEP_EVERY_MS;
  }

  onModuleInit(): void {
    this.timer = setInterval(() => this.closeUnused(this.maxIdleMs), SWEEP_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  get size(): number {
    return this.open.length;
  }

  watch(server: Server): void {
    // Before Node's own listener, which may hand the socket over.
    server.prependListener('connection', (socket: Socket) => {
      this.accepted++;
      const connection = new Connection(socket, this.open.length);
      socket[CONNECTION] = connection;
      this.open.push(connection);
      // Node takes its own listener away when it hands a socket over; without any, a reset would end the process.
      socket.on('error', () => undefined);
      socket.on('close', () => this.forget(connection));
    });
    // Node's own, which close() calls, would also cut clients that are still reading their answers.
    server.closeIdleConnections = () => this.closeIdle();
    // Nothing has moved for so long; as long as bytes of an answer leave, however slowly, this is not called.
    server.on('timeout', (socket: Socket) => {
      const { current } = connectionOf(socket);
      const isWorkedOn = current !== undefined && !current.response.headersSent; // which has bounds of its own
      if (isWorkedOn) socket.setTimeout(server.timeout);
      else socket.destroy();
    });
  }

  /** Those with nothing to answer for so long. A client that sends empty lines keeps Node from noticing. */
  closeUnused(milliseconds: number): void {
    const since = performance.now() - milliseconds;
    for (const connection of this.open) {
      if (connection.isIdle && connection.idleSince < since) connection.socket.destroy();
    }
  }

  private closeIdle(): void {
    for (const connection of this.open) {
      if (connection.isBetweenRequests) connection.socket.destroy();
    }
  }

  destroyAll(): void {
    for (const { socket } of this.open) socket.destroy();
  }

  private forget(connection: Connection): void {
    const last = this.open.pop();
    if (last !== undefined && last !== connection) {
      last.index = connection.index;
      this.open[connection.index] = last;
    }
  }
}
