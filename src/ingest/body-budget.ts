// What the bodies of all requests that are being worked on may hold together, and those of one key: past it, senders are asked to
// come again.
import { overloaded, type Problem } from '../problems/problem.js';
import { keyHoldsTooMuch } from './problems.js';

/** What one request holds of it. */
export interface BodyShare {
  /** A problem when there is no room for that many bytes more. */
  take(bytes: number): Problem | undefined;
  release(): void;
}

/** So many keys may hold all they can before others have to wait. */
const KEYS_THAT_FILL_IT = 8;

export class BodyBudget {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly maxBytesOfKey: number;

  /** One body always has room for its key, however little there is for all. */
  constructor(
    private readonly maxBytes: number,
    maxBodyBytes: number,
  ) {
    this.maxBytesOfKey = Math.max(Math.floor(maxBytes / KEYS_THAT_FILL_IT), maxBodyBytes);
  }

  share(key: string): BodyShare {
    let mine = 0;
    return {
      take: (bytes) => {
        if (this.heldByKey(key) + bytes > this.maxBytesOfKey) return keyHoldsTooMuch();
        if (this.held + bytes > this.maxBytes) return overloaded();
        mine += bytes;
        this.add(key, bytes);
        return undefined;
      },
      release: () => {
        this.add(key, -mine);
        mine = 0;
      },
    };
  }

  private heldByKey(key: string): number {
    return this.heldBy.get(key) ?? 0;
  }

  private add(key: string, bytes: number): void {
    this.held += bytes;
    const held = this.heldByKey(key) + bytes;
    if (held === 0) this.heldBy.delete(key);
    else this.heldBy.set(key, held);
  }
}
