// How many bytes the bodies of all unanswered requests may hold together, and those of one key.
import { overloaded, unavailable, type Problem } from '../problems/problem.js';

/** What one request holds of it. */
export interface BodyShare {
  /** Returns a problem when there is no room for so many more bytes. */
  take(bytes: number): Problem | undefined;
  release(): void;
}

/** A key may hold this part of it. */
const SHARE_OF_KEY = 1 / 8;

export class BodyBudget {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly maxBytesOfKey: number;

  /** A key always has room for one body. */
  constructor(
    private readonly maxBytes: number,
    maxBodyBytes: number,
  ) {
    this.maxBytesOfKey = Math.max(Math.floor(maxBytes * SHARE_OF_KEY), maxBodyBytes);
  }

  share(key: string): BodyShare {
    let mine = 0;
    return {
      take: (bytes) => {
        if ((this.heldBy.get(key) ?? 0) + bytes > this.maxBytesOfKey) return tooManyBodiesOfKey();
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

  private add(key: string, bytes: number): void {
    this.held += bytes;
    const held = (this.heldBy.get(key) ?? 0) + bytes;
    if (held === 0) this.heldBy.delete(key);
    else this.heldBy.set(key, held);
  }
}

function tooManyBodiesOfKey(): Problem {
  const detail =
    'Too many bodies are being sent with this key; wait for an answer to one of them, then send this again.';
  return unavailable('overloaded', detail);
}
