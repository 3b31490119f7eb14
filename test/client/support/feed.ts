// The feed of changes as the API describes it, for a front to answer with: what is pushed comes, in its order, to whoever follows.
import type { Fate, Seen } from './front.js';

export class Feed {
  private readonly changes: object[] = [];
  private readonly waiting = new Set<() => void>();
  /** Cursors before this one are too old. */
  keptFrom = 0;

  push(...changes: object[]): void {
    this.changes.push(...changes);
    this.wake();
  }

  /** As a service that stops: nobody waits any more. */
  wake(): void {
    for (const go of this.waiting) go();
  }

  /** Undefined for other addresses. */
  async answer({ path }: Seen): Promise<Fate | undefined> {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (pathname !== '/v1/changes') return undefined;
    const after = searchParams.get('after') ?? String(this.keptFrom);
    const from = after === 'latest' ? this.changes.length : Number(after);
    if (from < this.keptFrom) return json(410, { status: 410, code: 'cursor_expired', detail: 'Too old.' });
    const seconds = after === 'latest' ? 0 : Number(searchParams.get('wait') ?? 0);
    if (from === this.changes.length && seconds > 0) await this.next(seconds * 1_000);
    const next = Math.min(from + Number(searchParams.get('size') ?? 100), this.changes.length);
    const data = this.changes.slice(from, next);
    return json(200, { object: 'changes', data, next: String(next), has_more: next < this.changes.length });
  }

  private next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, ms).unref();
      this.waiting.add(go);
    });
  }
}

function json(status: number, body: object): Fate {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
