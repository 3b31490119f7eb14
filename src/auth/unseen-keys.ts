// Looks up keys that this process has never seen, which may be new and may be guesses, at a cost that guessing cannot raise.
// Few are looked up at a time, and only so many misses are allowed. Beyond that a key is only looked up if its prefix is in the
// list of all prefixes, which is read at most once a second. So guessers get their 401 from memory, and a real key is found even
// while its network is full of guessers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reads, Statement } from '../database/reads.js';

const WINDOW_MS = 10_000;
const MAX_MISSES_PER_NETWORK = 20;
const MAX_MISSES = 100;
const MAX_CONCURRENT = 2;
const PREFIXES_TTL_MS = 1_000;

/** One value, since thousands of rows would cost thousands of objects; no prefix holds a blank. A key's customer is not checked here. */
const LIST_PREFIXES: Statement = {
  name: 'list_key_prefixes',
  text: `
    select string_agg(prefix, ' ') as prefixes
    from api_keys
    where revoked_at is null and (expires_at is null or expires_at > now())`,
};

interface PrefixList {
  readonly prefixes: Promise<ReadonlySet<string>>;
  readonly asOf: number;
}

export class UnseenKeys {
  private windowEnd = 0;
  private missesByNetwork = new Map<string, number>();
  private misses = 0;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private list: PrefixList | undefined;
  private coming: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly reads: Reads) {}

  /** `lookUp` finds the key; undefined is a miss. `network` is the caller's. */
  async find<T>(
    prefix: string,
    network: string,
    lookUp: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (!this.isUsedUp(network)) {
      await this.takeTurn();
      try {
        // Those that were before this one may have used it up.
        if (!this.isUsedUp(network)) {
          const found = await lookUp();
          if (found === undefined) this.countMiss(network);
          return found;
        }
      } finally {
        this.passTurn();
      }
    }
    return this.findListed(prefix, lookUp);
  }

  /** A key that is younger than the list waits for the next one, as does a guess. */
  private async findListed<T>(prefix: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const asked = performance.now();
    const { prefixes, asOf } = this.newest();
    const isListed = (await prefixes).has(prefix) || (asOf < asked && (await this.next()).has(prefix));
    return isListed ? lookUp() : undefined;
  }

  private newest(): PrefixList {
    const now = performance.now();
    if (this.list === undefined || now - this.list.asOf > PREFIXES_TTL_MS) {
      const list = { prefixes: this.readPrefixes(), asOf: now };
      list.prefixes.catch(() => (this.list = undefined)); // those who waited fail; the next one asks again
      this.list = list;
    }
    return this.list;
  }

  private next(): Promise<ReadonlySet<string>> {
    this.coming ??= sleep(PREFIXES_TTL_MS + 1, undefined, { ref: false }).then(() => {
      this.coming = undefined;
      return this.newest().prefixes;
    });
    return this.coming;
  }

  private async readPrefixes(): Promise<ReadonlySet<string>> {
    const row = await this.reads.firstRow<{ prefixes: string | null }>(LIST_PREFIXES, []);
    return new Set(row?.prefixes?.split(' '));
  }

  private isUsedUp(network: string): boolean {
    const now = performance.now();
    if (now >= this.windowEnd) {
      this.windowEnd = now + WINDOW_MS;
      this.missesByNetwork = new Map();
      this.misses = 0;
    }
    return (this.missesByNetwork.get(network) ?? 0) >= MAX_MISSES_PER_NETWORK || this.misses >= MAX_MISSES;
  }

  private countMiss(network: string): void {
    this.missesByNetwork.set(network, (this.missesByNetwork.get(network) ?? 0) + 1);
    this.misses++;
  }

  private async takeTurn(): Promise<void> {
    if (this.running < MAX_CONCURRENT) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private passTurn(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}
