// Seats that requests take, one or several each. Whoever finds none waits, and is seated key by key in turn, the key that has the fewest
// first: so a key with many requests waits for itself, and one with few waits for nobody's crowd. There is one thread: while others are
// active, a key begins one request in a turn of the event loop, so that others' answers come in between.
import type { Writable } from 'node:stream';
import { badRequest, overloaded, type Problem } from '../problems/problem.js';

export interface SeatBounds {
  readonly total: number;
  /**
   * What a key may have while others are active, and what it may have alone, with a request of this price: never all, so that another
   * finds seats when it comes.
   */
  readonly share: number;
  readonly alone: (price: number) => number;
  /** How many requests of a key may wait, and how long. */
  readonly maxWaiting: number;
  readonly waitMs: number;
}

/** A key that has asked within this time is active. */
const ACTIVE_MS = 10_000;

/** Gives the seats back, once however often it is called. */
export type Leave = () => void;

interface Waiter {
  readonly price: number;
  readonly seat: (leave: Leave) => void;
}

/** The requests of one key. */
interface Flow {
  held: number;
  readonly waiting: Set<Waiter>;
}

export class Seats {
  /** Only those that hold or wait; whose turn it was last stands last. */
  private readonly flows = new Map<string, Flow>();
  private free: number;
  private waiting = 0;
  /** Keys that were seated in this turn of the event loop. */
  private readonly begun = new Set<string>();
  private newest = { key: '', askedAt: -Infinity };
  /** When another key than the newest asked. */
  private otherAskedAt = -Infinity;

  constructor(private readonly bounds: SeatBounds) {
    this.free = bounds.total;
  }

  get waitingRequests(): number {
    return this.waiting;
  }

  /** What takes more than a key may have is seated when the key has nothing else. Rejects when the time is over or the response closes. */
  take(key: string, price: number, response?: Writable): Leave | Promise<Leave> {
    this.noteAsked(key);
    const flow = this.flows.get(key) ?? { held: 0, waiting: new Set() };
    if (this.waiting === 0 && this.mayHave(key, flow, price) && price <= this.free)
      return this.seat(key, flow, price);
    return this.wait(key, flow, price, response);
  }

  private noteAsked(key: string): void {
    if (key !== this.newest.key) {
      this.otherAskedAt = this.newest.askedAt;
      this.newest.key = key;
    }
    this.newest.askedAt = performance.now();
  }

  private mayHave(key: string, { held }: Flow, price: number): boolean {
    const otherAskedAt = key === this.newest.key ? this.otherAskedAt : this.newest.askedAt;
    const isAlone = performance.now() - otherAskedAt > ACTIVE_MS;
    if (!isAlone && this.begun.has(key)) return false;
    return held === 0 || held + price <= (isAlone ? this.bounds.alone(price) : this.bounds.share);
  }

  private seat(key: string, flow: Flow, price: number): Leave {
    this.flows.delete(key);
    this.flows.set(key, flow);
    if (this.begun.size === 0) setImmediate(() => this.beginTurn());
    this.begun.add(key);
    this.free -= price;
    flow.held += price;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.free += price;
      flow.held -= price;
      this.forgetIdle(key, flow);
      if (this.waiting > 0) this.seatWaiting();
    };
  }

  private wait(key: string, flow: Flow, price: number, response: Writable | undefined): Promise<Leave> {
    return new Promise((resolve, reject) => {
      if (flow.waiting.size >= this.bounds.maxWaiting) throw overloaded();
      const end = (): void => {
        clearTimeout(timer);
        response?.off('close', gone);
        flow.waiting.delete(waiter);
        this.waiting -= 1;
      };
      const fail = (problem: Problem): void => {
        end();
        this.forgetIdle(key, flow);
        reject(problem);
        this.seatWaiting(); // it may have been the one that the others waited for
      };
      const gone = (): void =>
        fail(badRequest('bad_request', 'The connection ended before the request had its turn.'));
      const seat = (leave: Leave): void => {
        end();
        resolve(leave);
      };
      const waiter = { price, seat };
      const timer = setTimeout(() => fail(overloaded()), this.bounds.waitMs).unref();
      this.flows.set(key, flow);
      flow.waiting.add(waiter);
      this.waiting += 1;
      if (response?.closed === true) return gone();
      response?.on('close', gone);
      this.seatWaiting();
    });
  }

  private beginTurn(): void {
    this.begun.clear();
    if (this.waiting > 0) this.seatWaiting();
  }

  /** Nobody passes one who has to wait only until enough seats are free. */
  private seatWaiting(): void {
    for (;;) {
      const next = this.nextFlow();
      const [waiter] = next?.[1].waiting ?? [];
      if (next === undefined || waiter === undefined || waiter.price > this.free) return;
      const [key, flow] = next;
      waiter.seat(this.seat(key, flow, waiter.price));
    }
  }

  private nextFlow(): [string, Flow] | undefined {
    let next: [string, Flow] | undefined;
    for (const [key, flow] of this.flows) {
      const [waiter] = flow.waiting;
      if (waiter === undefined || (next !== undefined && next[1].held <= flow.held)) continue;
      if (this.mayHave(key, flow, waiter.price)) next = [key, flow];
    }
    return next;
  }

  private forgetIdle(key: string, flow: Flow): void {
    if (flow.held === 0 && flow.waiting.size === 0) this.flows.delete(key);
  }
}
