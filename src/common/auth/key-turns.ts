// Places that requests wait for, key by key: one that comes free goes to the key that has the fewest, and among those in turn. So a key
// with many requests waits for itself, and one with few waits for nobody's crowd.
import type { Writable } from 'node:stream';
import { resumable } from '../../platform/tracing/trail.js';
import { badRequest, overloaded, type Problem } from '../problems/problem.js';
import { KeyPlaces, type PlaceBounds } from './key-places.js';

/** Work of which one key may do so much at a time. */
export const LONG_READS = Symbol('turns of reads that take the database long');
export const LARGE_PAGES = Symbol('turns of reads that take long to write');
export const MANAGING = Symbol('turns of those who change customers, tanks, sensors and webhook endpoints');

type Leave = () => void;

type Waiter = (leave: Leave) => void;

export class KeyTurns {
  private readonly places: KeyPlaces;
  /** By key; whose turn it was last stands last. */
  private readonly waiting = new Map<string, Set<Waiter>>();

  constructor(private readonly bounds: PlaceBounds & { readonly timeoutMs: number }) {
    this.places = new KeyPlaces(bounds);
  }

  async run<T>(keyPrefix: string, response: Writable | undefined, work: () => Promise<T>): Promise<T> {
    const resume = resumable();
    const leave = await this.enter(keyPrefix, response);
    try {
      return await resume(work);
    } finally {
      leave();
    }
  }

  /** Resolves with what gives the place back. Rejects on timeout or when the response closes. */
  async enter(keyPrefix: string, response: Writable | undefined): Promise<Leave> {
    const leave = this.places.enter(keyPrefix) ?? (await this.wait(keyPrefix, response));
    return () => {
      leave();
      this.callNext();
    };
  }

  private wait(keyPrefix: string, response: Writable | undefined): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        response?.off('close', gone);
        this.remove(keyPrefix, waiter);
      };
      const fail = (problem: Problem): void => {
        end();
        reject(problem);
      };
      const gone = (): void =>
        fail(badRequest('bad_request', 'The connection ended before the request had its turn.'));
      const waiter: Waiter = (leave) => {
        end();
        resolve(leave);
      };
      const timer = setTimeout(() => fail(overloaded()), this.bounds.timeoutMs).unref();
      if (response?.closed === true) return gone();
      response?.on('close', gone);
      const ofKey = this.waiting.get(keyPrefix) ?? new Set();
      this.waiting.set(keyPrefix, ofKey.add(waiter));
    });
  }

  private remove(keyPrefix: string, waiter: Waiter): void {
    const ofKey = this.waiting.get(keyPrefix);
    ofKey?.delete(waiter);
    if (ofKey?.size === 0) this.waiting.delete(keyPrefix);
  }

  private callNext(): void {
    const fewestFirst = [...this.waiting].toSorted(
      ([a], [b]) => this.places.heldBy(a) - this.places.heldBy(b),
    );
    for (const [keyPrefix, ofKey] of fewestFirst) {
      const leave = this.places.enter(keyPrefix);
      if (leave === undefined) continue;
      this.waiting.delete(keyPrefix);
      this.waiting.set(keyPrefix, ofKey);
      const [first] = ofKey;
      first?.(leave);
      return;
    }
  }
}
