// Looks up keys that this process has never seen, which may be new and may be guesses, at a cost that guessing cannot raise.
// Few of them are looked up at a time, and only so many in vain. Beyond that a key is only looked up if its prefix is among those
// there are, which are read all at once and at most once a second. So guessers are told 401 out of memory, and a real key is
// found even while its network is full of them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reads, Statement } from '../database/reads.js';

const WINDOW_MS = 10_000;
const IN_VAIN_OF_ONE = 20;
const IN_VAIN_OF_ALL = 100;
const AT_A_TIME = 2;
const PREFIXES_BELIEVED_MS = 1_000;

/**
 * One value: thousands of rows would cost thousands of objects. No prefix holds a blank. Whether the customer of a key is deleted
 * is left to the look-up of that key.
 */
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
  private inVain = new Map<string, number>();
  private inVainOfAll = 0;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private list: PrefixList | undefined;
  private coming: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly reads: Reads) {}

  /** `lookUp` finds the key; undefined is in vain. The network is the one it is asked for from. */
  async find<T>(
    prefix: string,
    network: string,
    lookUp: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (!this.isSpent(network)) {
      await this.takeTurn();
      try {
        // Those that were before this one may have spent it meanwhile.
        if (!this.isSpent(network)) return await this.findAtOnce(network, lookUp);
      } finally {
        this.passTurn();
      }
    }
    return this.findListed(prefix, lookUp);
  }

  private async findAtOnce<T>(network: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await lookUp();
    if (found === undefined) this.count(network);
    return found;
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
    if (this.list === undefined || now - this.list.asOf > PREFIXES_BELIEVED_MS) {
      const list = { prefixes: this.readPrefixes(), asOf: now };
      list.prefixes.catch(() => (this.list = undefined)); // whoever waited is told; the next one asks again
      this.list = list;
    }
    return this.list;
  }

  /** The list that is read when the one there is has had its time. */
  private next(): Promise<ReadonlySet<string>> {
    this.coming ??= sleep(PREFIXES_BELIEVED_MS + 1, undefined, { ref: false }).then(() => {
      this.coming = undefined;
      return this.newest().prefixes;
    });
    return this.coming;
  }

  private async readPrefixes(): Promise<ReadonlySet<string>> {
    const row = await this.reads.firstRow<{ prefixes: string | null }>(LIST_PREFIXES, []);
    return new Set(row?.prefixes?.split(' '));
  }

  private isSpent(network: string): boolean {
    const now = performance.now();
    if (now >= this.windowEnd) {
      this.windowEnd = now + WINDOW_MS;
      this.inVain = new Map();
      this.inVainOfAll = 0;
    }
    return (this.inVain.get(network) ?? 0) >= IN_VAIN_OF_ONE || this.inVainOfAll >= IN_VAIN_OF_ALL;
  }

  private count(network: string): void {
    this.inVain.set(network, (this.inVain.get(network) ?? 0) + 1);
    this.inVainOfAll++;
  }

  private async takeTurn(): Promise<void> {
    if (this.running < AT_A_TIME) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private passTurn(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}
