// Who is seated, who waits, and in which order.
import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Seats, type Leave } from './seats.js';

const BOUNDS = { total: 5, share: 2, alone: () => 4, maxWaiting: 3, waitMs: 60_000 };

/** Names those who are seated, in their order. */
class Room {
  readonly seated: string[] = [];
  private readonly leaves = new Map<string, Leave>();
  readonly seats: Seats;

  constructor(bounds: Partial<typeof BOUNDS> = {}) {
    this.seats = new Seats({ ...BOUNDS, ...bounds });
  }

  /** `name`: its key, and which of its requests it is, such as a1. */
  async enter(name: string, price = 1, response?: PassThrough): Promise<unknown> {
    try {
      this.leaves.set(name, await this.seats.take(name.slice(0, 1), price, response));
      return this.seated.push(name);
    } catch (error) {
      return error;
    }
  }

  async leave(name: string): Promise<void> {
    this.leaves.get(name)?.();
    this.leaves.get(name)?.(); // the second time it is nobody's
    await setImmediate();
  }
}

describe('a key', () => {
  it('has its share while another is active, more alone, and never the last seats', async () => {
    const room = new Room();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void room.enter(name);
    await setImmediate();
    expect(room.seated).toEqual(['a1', 'a2', 'a3', 'a4']);

    await room.enter('b1');
    await room.leave('a1');
    await room.leave('a2');
    expect(room.seated.slice(4)).toEqual(['b1']); // a has two, which is its share now
    await room.leave('a3');
    expect(room.seated.slice(5)).toEqual(['a5']);
  });

  it('waits behind itself: one with few is seated before the rest of a crowd', async () => {
    const room = new Room({ total: 2, share: 2, alone: () => 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void room.enter(name);
    await setImmediate();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await room.leave(name);
    expect(room.seated).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4']);
  });

  it('begins one request in a turn of the event loop while another is active, so that others come in between', async () => {
    const room = new Room({ total: 20, share: 10, alone: () => 10 });
    for (const name of ['a1', 'b1', 'a2', 'a3', 'b2']) void room.enter(name);
    await Promise.resolve();
    expect(room.seated).toEqual(['a1', 'b1']);
    await setImmediate();
    expect(room.seated).toEqual(['a1', 'b1', 'a2', 'b2']);
    await setImmediate();
    expect(room.seated.slice(4)).toEqual(['a3']);
  });

  it('has one request that takes more than its share, when it has nothing else', async () => {
    const room = new Room();
    await room.enter('b1');
    await room.enter('a1', 3);
    void room.enter('a2', 3);
    await setImmediate();
    expect(room.seated).toEqual(['b1', 'a1']);
    await room.leave('a1');
    expect(room.seated).toEqual(['b1', 'a1', 'a2']);
  });
});

describe('a request that waits', () => {
  it('is not passed by those that take fewer', async () => {
    const room = new Room({ total: 2 });
    await room.enter('a1');
    void room.enter('b1', 2);
    void room.enter('c1');
    await setImmediate();
    expect(room.seated).toEqual(['a1']);
    await room.leave('a1');
    expect(room.seated).toEqual(['a1', 'b1']);
  });

  it('is refused when as many wait, or its time is over', async () => {
    const room = new Room({ waitMs: 20 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) await room.enter(name);
    const waiting = ['a5', 'a6', 'a7'].map((name) => room.enter(name));
    expect(await room.enter('a8')).toMatchObject({ status: 503, code: 'overloaded' });
    expect(room.seats.waitingRequests).toBe(3);
    expect(await Promise.all(waiting)).toMatchObject(waiting.map(() => ({ code: 'overloaded' })));
    expect(room.seats.waitingRequests).toBe(0);
  });

  it('gives up its place when its caller leaves', async () => {
    const room = new Room({ total: 2 });
    await room.enter('a1');
    const response = new PassThrough();
    const left = room.enter('b1', 2, response);
    void room.enter('c1');
    response.destroy();
    expect(await left).toMatchObject({ status: 400 });
    expect(room.seated).toEqual(['a1', 'c1']);
  });
});
