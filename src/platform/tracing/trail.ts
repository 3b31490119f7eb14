// What a request leaves on its way: its time in the database and, with tracing on, its spans. AsyncLocalStorage would find the request
// everywhere, but costs a small read a quarter on Node 20. So the current trail is a plain variable that is set only while code runs without
// waiting: a handler's first statement finds it by itself, and whoever asks the database again after waiting uses `resumable()`.
import type { Span } from './tracing.js';

export class Trail {
  /** Its statements, waits for a connection included; those at the same time count once. */
  databaseMs = 0;
  private countedUntil = 0;

  constructor(readonly span?: Span) {}

  /** For something that began then, by performance.now(), and has ended now. */
  addDatabaseTime(started: number): void {
    const now = performance.now();
    this.databaseMs += now - Math.max(started, this.countedUntil);
    this.countedUntil = now;
  }

  noteStatement(name: string, started: number, hasFailed: boolean): void {
    this.addDatabaseTime(started);
    this.span?.addStatement(name, started, hasFailed);
  }
}

let current: Trail | undefined;

export function currentTrail(): Trail | undefined {
  return current;
}

/** What `work` begins before it first waits is of this trail; without one, nobody's. */
export function onTrail<T>(trail: Trail | undefined, work: () => T): T {
  const before = current;
  current = trail;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** For work that waits in between: what it begins later is still of the trail it began on. */
export function resumable(): <T>(work: () => T) => T {
  const trail = current;
  return (work) => onTrail(trail, work);
}
