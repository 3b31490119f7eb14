// Connections take turns: of each, one request is answered at a time. A client may send many without waiting for the answers
// (pipelining); those parsed behind another wait, the connection is not read further meanwhile, and they are dropped when it is
// gone. So a client that sends thousands costs the others neither their turns nor the memory.
import { Injectable } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeGently, connectionOf, type Connection, type Exchange } from './connections.js';

/** Node parses 64 KB at once, which may be thousands of requests of some 2 KB each. So many may wait on all connections together; … */
const MAX_WAITING = 50_000;
/** … when more do, a connection on which more than these wait is cut. */
const MAX_WAITING_OF_ONE = 100;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

@Injectable()
export class Turns {
  private serve: Serve = () => undefined;
  private waiting = 0;
  private heldBack: Exchange[] | undefined;

  /** Puts itself before what answers the server's requests. */
  arrange(server: Server): void {
    const [serve] = server.listeners('request') as Serve[];
    if (serve === undefined) throw new Error('A server that answers nothing.');
    this.serve = serve;
    server.removeAllListeners('request');
    server.on('request', (request, response) => this.accept(request, response));
  }

  /** Whether anything that was asked has not been started yet. */
  get areTaken(): boolean {
    return this.waiting === 0 && this.heldBack === undefined;
  }

  /** From now on, what is asked is kept until release(). */
  holdBack(): void {
    this.heldBack ??= [];
  }

  release(): void {
    const kept = this.heldBack ?? [];
    this.heldBack = undefined;
    for (const { request, response } of kept) {
      if (!request.socket.destroyed) this.serve(request, response);
    }
  }

  /** An answer is out, or its client is gone: the next one on its connection may start. */
  finish(socket: Socket): void {
    const connection = connectionOf(socket);
    connection.current = undefined;
    connection.bytesAnswered = socket.bytesRead;
    connection.idleSince = performance.now();
    // Not at once: everybody else comes first.
    if (connection.queue.length > 0) setImmediate(() => this.startNext(connection));
    else connection.afterwards?.();
  }

  /** It will not be answered as a request. */
  withdrawLast({ queue }: Connection): void {
    if (queue.pop() !== undefined) this.waiting--;
  }

  private accept(request: IncomingMessage, response: ServerResponse): void {
    const connection = connectionOf(request.socket);
    if (connection.isClosing) return;
    connection.afterwards = undefined; // set for a late request: here it is
    // Node gives an answer its socket when the ones before it are out.
    if (connection.current === undefined && response.socket !== null) {
      this.start(connection, { request, response });
    } else {
      this.wait(connection, { request, response });
    }
  }

  private start(connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    if (this.heldBack === undefined) this.serve(exchange.request, exchange.response);
    else this.heldBack.push(exchange);
  }

  private startNext(connection: Connection): void {
    const { socket, queue } = connection;
    if (socket.destroyed || connection.isClosing || connection.current !== undefined) return;
    const next = queue.shift();
    if (next === undefined) return connection.afterwards?.();
    this.waiting--;
    if (queue.length === 0) socket.resume();
    this.start(connection, next);
  }

  private wait(connection: Connection, exchange: Exchange): void {
    const { socket, queue } = connection;
    if (!connection.isPipelined) this.preparePipeline(connection);
    queue.push(exchange);
    this.waiting++;
    socket.pause();
    if (this.waiting > MAX_WAITING && queue.length > MAX_WAITING_OF_ONE) socket.destroy();
  }

  private preparePipeline(connection: Connection): void {
    const { socket } = connection;
    connection.isPipelined = true;
    // Node resumes reading after every request that has arrived whole.
    socket.on('resume', () => {
      if (connection.queue.length > 0 && !connection.isClosing) socket.pause();
    });
    // What Node calls after a last answer: more requests may be on their way.
    socket.destroySoon = () => closeGently(socket);
    socket.once('close', () => {
      this.waiting -= connection.queue.length;
      connection.queue.length = 0;
    });
  }
}
