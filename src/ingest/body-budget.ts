// What the bodies of all requests that are being worked on may hold together: past it, senders are asked to come again.
import { overloaded, type Problem } from '../problems/problem.js';

/** What one request holds of it. */
export interface BodyShare {
  /** A problem when there is no room for that many bytes more. */
  take(bytes: number): Problem | undefined;
  release(): void;
}

export class BodyBudget {
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  share(): BodyShare {
    let mine = 0;
    return {
      take: (bytes) => {
        if (this.held + bytes > this.maxBytes) return overloaded();
        mine += bytes;
        this.held += bytes;
        return undefined;
      },
      release: () => {
        this.held -= mine;
        mine = 0;
      },
    };
  }
}
