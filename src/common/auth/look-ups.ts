// What is known of credentials, by their public id. It is cached for a few seconds, so that one that ended stops soon and a busy one
// costs nothing. Unknown ids have a cache of their own, so that guesses push no real one out. A guess costs one look-up by a primary
// key, unless RateLimits refuses its address.
import { LRUCache } from 'lru-cache';

const CACHE = { max: 10_000, ttl: 3_000, ttlResolution: 50 };
/** How long the id of a good one tells it from guesses. */
const FAMILIAR_MS = 86_400_000;

export class LookUps<T extends object> {
  private readonly known = new LRUCache<string, T>(CACHE);
  private readonly familiar = new LRUCache<string, true>({ ...CACHE, ttl: FAMILIAR_MS });
  private readonly unknown = new LRUCache<string, true>(CACHE);
  /** By id: those who ask at the same time wait for the same answer. */
  private readonly underWay = new Map<string, Promise<T | undefined>>();

  constructor(private readonly read: (id: string) => Promise<T | undefined>) {}

  /** Whether the database has to be asked for one that was not used here before. */
  isNew(id: string): boolean {
    return !this.familiar.has(id) && !this.unknown.has(id);
  }

  /** At once where it is cached, as it is for nearly every request. */
  find(
    id: string,
    mayBeCached: boolean,
    isRight: (found: T) => boolean,
  ): T | undefined | Promise<T | undefined> {
    const cached = mayBeCached ? this.known.get(id) : undefined;
    if (cached !== undefined) return isRight(cached) ? cached : undefined;
    return this.lookUp(id).then((found) => {
      if (found === undefined || !isRight(found)) return undefined;
      this.familiar.set(id, true);
      return found;
    });
  }

  /** For one that has just ended here. */
  forget(id: string): void {
    this.known.delete(id);
  }

  private async lookUp(id: string): Promise<T | undefined> {
    if (this.unknown.has(id)) return undefined;
    let asked = this.underWay.get(id);
    if (asked === undefined) {
      asked = this.ask(id).finally(() => this.underWay.delete(id));
      this.underWay.set(id, asked);
    }
    return asked;
  }

  private async ask(id: string): Promise<T | undefined> {
    const asOf = { start: performance.now() }; // waiting for the answer does not make it last longer
    const found = await this.read(id);
    if (found !== undefined) this.known.set(id, found, asOf);
    else {
      this.known.delete(id);
      this.unknown.set(id, true, asOf);
    }
    return found;
  }
}
