// Lets requests in, key by key in turn: each takes seats until it is answered and its work has ended, a dear one several. The guard seats
// it or, where a body is read, whoever reads that, afterwards: a slow sender holds nobody's seat, only room for its body.
import { Inject, Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { findNetwork } from '../auth/network.js';
import { oncePerHandler } from '../once-per-handler.js';
import { findQueryClass } from '../pagination/dto/page.query.js';
import { Seats, type Leave, type SeatBounds } from './seats.js';

declare global {
  namespace Express {
    interface Request {
      /** Gives its seats back before it is answered, for one that only waits. */
      leaveSeats?: Leave;
    }
  }
}

/** What a key may have while others are active. */
const SHARE = 16;

/** How many seats a request takes, where it is not one. */
export const PRICES = {
  list: 2,
  /** Reads that look at many rows, such as searches and those of the fleet: each has a connection for long. */
  longRead: 4,
  /** More than 100 rows: there is one thread that writes them. And a series, which may have to look at all readings of a tank. */
  largePage: 8,
  /** More than 1,000. */
  hugePage: 16,
  /** Few connections write, and a key may have two of them. */
  change: 8,
  /** The largest body that may come there; a smaller one in proportion. */
  body: 8,
  /** Work of seconds, of which few run at once, so that readings come first. */
  retry: 16,
} as const;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What was read of the request until it is seated. */
interface Asked {
  /** What it takes where nothing else is said. */
  readonly usual?: number;
  readonly parameters?: Request['query'];
  /** The body's size as a share of the largest body that may come there. */
  readonly bodyShare?: number;
}

const PRICE = 'price in seats';
const ROWS = 'rows in each object of a page';
const READS_BODY = 'is seated after its body was read';

/** Where it is not what its method and parameters say. 0: is answered from memory, and waits for nobody. */
export const TakesSeats = (price: number) => SetMetadata(PRICE, price);

/** Where each of the objects of a page stands for so many rows. */
export const HasRowsInEach = (rows: number): MethodDecorator => SetMetadata(ROWS, rows);

/** For a handler with an interceptor that seats it. */
export const SeatedLater = (): MethodDecorator => SetMetadata(READS_BODY, true);

/** Alone, a key has most of the seats; its long reads leave one connection for whoever comes next. */
function seatsFor(connections: number): Pick<SeatBounds, 'total' | 'share' | 'alone'> {
  const alone = 64;
  const dear = Math.min(alone, PRICES.longRead * Math.max(connections - 1, 1));
  return {
    total: alone + SHARE,
    share: Math.min(SHARE, dear),
    alone: (price) => (price < PRICES.longRead ? alone : dear),
  };
}

@Injectable()
export class Admission {
  private readonly seats: Seats;
  /** Of bytes that bodies may take. */
  private readonly room: Seats;
  private readonly declarations = oncePerHandler((context) => ({
    price: this.reflector.getAllAndOverride<number | undefined>(PRICE, [
      context.getHandler(),
      context.getClass(),
    ]),
    rows: this.reflector.get<number | undefined>(ROWS, context.getHandler()) ?? 1,
    readsBody: this.reflector.get<true | undefined>(READS_BODY, context.getHandler()) === true,
  }));

  constructor(
    @Inject(CONFIG) { limits, database, ingest }: Config,
    private readonly reflector: Reflector,
    metrics: Metrics,
  ) {
    const waiting = { maxWaiting: limits.maxWaitingRequests, waitMs: database.acquireTimeoutMs };
    const share = Math.max(ingest.maxWaitingBytes / 8, ingest.maxBodyBytes); // there is room for one, always
    this.seats = new Seats({ ...seatsFor(database.poolSize), ...waiting });
    this.room = new Seats({ total: ingest.maxWaitingBytes, share, alone: () => share, ...waiting });
    metrics.gauge(
      'http_requests_waiting',
      'Requests that wait for their turn.',
      () => this.seats.waitingRequests + this.room.waitingRequests,
    );
  }

  isSeatedLater(context: ExecutionContext): boolean {
    return this.declarations(context).readsBody || findQueryClass(context) !== undefined;
  }

  /** Returns what is called when the work has ended, which may be after the answer. */
  async seat(context: ExecutionContext, asked: Asked = {}): Promise<() => void> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    if (this.declarations(context).price === 0) return () => undefined;
    const price = this.priceOf(context, request.method, asked);
    const leave = await this.seats.take(findHolder(request), price, response);
    request.leaveSeats = leave;
    let isAnswered = false;
    let isDone = false;
    const answered = (): void => {
      isAnswered = true;
      if (isDone) leave();
    };
    response.on('prefinish', answered).on('close', answered); // it is written, though not yet read, or will never be
    return () => {
      isDone = true;
      if (isAnswered) leave();
    };
  }

  /** Before it is read; `bytes` is what it may have at most. */
  async makeRoom(context: ExecutionContext, bytes: number): Promise<Leave> {
    const http = context.switchToHttp();
    return this.room.take(findHolder(http.getRequest<Request>()), bytes, http.getResponse<Response>());
  }

  /** For work that several requests share. */
  async run<T>(key: string, price: number, work: () => Promise<T>): Promise<T> {
    const leave = await this.seats.take(key, price);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  private priceOf(context: ExecutionContext, method: string, asked: Asked): number {
    const { bodyShare = 0, parameters, usual = READS.has(method) ? 1 : PRICES.change } = asked;
    return Math.max(
      this.declarations(context).price ?? usual,
      1 + Math.floor((PRICES.body - 1) * bodyShare),
      parameters?.['q'] === undefined ? 1 : PRICES.longRead,
      priceOfPage(Number(parameters?.['size']) * this.declarations(context).rows),
    );
  }
}

function priceOfPage(rows: number): number {
  if (rows > 1_000) return PRICES.hugePage;
  return rows > 100 ? PRICES.largePage : 1;
}

/** Who asks without a key is not known: those of a network share their turn. */
function findHolder(request: Request): string {
  return request.caller?.id ?? `address:${findNetwork(request.ip)}`;
}
