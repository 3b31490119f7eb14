// Recognizes API keys. What was looked up is believed for a few seconds, so that a revoked key stops soon and a busy one
// costs nothing. Unknown prefixes are remembered apart and in a bounded number, so that guesses push no real key out.
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { timingSafeEqual } from 'node:crypto';
import { FRESH_READS, type Reads, type Statement } from '../database/reads.js';
import { hashOf, IS_ACTIVE, prefixOf } from './api-key.js';
import type { Caller } from './caller.js';
import { KeyUse } from './key-use.js';
import { UnseenKeys } from './unseen-keys.js';
import type { Scope } from './scope.js';

/** How many prefixes of each kind are remembered, how long they are believed, and how exactly that is kept. */
const REMEMBERED = { max: 10_000, ttl: 3_000, ttlResolution: 50 };
/** That there was such a key is known for longer than it is believed: looking it up again is no guess. */
const SEEN = { ...REMEMBERED, noDeleteOnStaleGet: true };

const FIND_KEY: Statement = {
  name: 'find_api_key',
  text: `
    select hash, customer_id, scopes, extract(epoch from expires_at)::float8 * 1000 as expires_at_ms
    from api_keys
    where prefix = $1 and ${IS_ACTIVE}`,
};

interface KeyRow {
  hash: Buffer;
  customer_id: string | null;
  scopes: Scope[];
  expires_at_ms: number | null;
}

interface KnownKey {
  readonly hash: Buffer;
  readonly caller: Caller;
  readonly expiresAt: number;
  /** The key that was found to have this hash, so that it need not be hashed again. */
  proven?: Buffer;
}

@Injectable()
export class ApiKeysService {
  private readonly known = new LRUCache<string, KnownKey>(SEEN);
  /** Prefixes that no key has. */
  private readonly unknown = new LRUCache<string, true>(REMEMBERED);
  /** Those who ask for a prefix that is being looked up wait for the same answer. */
  private readonly lookUps = new Map<string, Promise<KnownKey | undefined>>();
  private readonly unseen: UnseenKeys;

  constructor(
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly keyUse: KeyUse,
  ) {
    this.unseen = new UnseenKeys(reads);
  }

  /**
   * The caller behind a key, null when it is malformed, unknown, expired or revoked, and undefined when it is not remembered
   * and has to be looked up.
   */
  recall(text: string): Caller | null | undefined {
    const prefix = prefixOf(text);
    if (prefix === undefined) return null;
    const known = this.known.get(prefix);
    if (known !== undefined) return this.callerOf(known, text);
    return this.unknown.has(prefix) ? null : undefined;
  }

  /** Asks the database. The network is the one the caller is in: how much it guesses is counted. */
  async lookUp(text: string, network: string): Promise<Caller | null> {
    const prefix = prefixOf(text);
    const found = prefix === undefined ? undefined : await this.find(prefix, network);
    return found === undefined ? null : this.callerOf(found, text);
  }

  /** Whether it is known without a look at its secret that the key will be refused. */
  isHopeless(text: string): boolean {
    const prefix = prefixOf(text);
    return prefix === undefined || this.unknown.has(prefix);
  }

  private callerOf(known: KnownKey, text: string): Caller | null {
    const now = Date.now();
    if (known.expiresAt <= now || !isTheKey(known, text)) return null;
    this.keyUse.note(known.caller.keyPrefix, now);
    return known.caller;
  }

  private find(prefix: string, network: string): Promise<KnownKey | undefined> {
    let lookUp = this.lookUps.get(prefix);
    if (lookUp === undefined) {
      const isSeen = this.known.peek(prefix, { allowStale: true }) !== undefined;
      lookUp = isSeen ? this.read(prefix) : this.unseen.find(prefix, network, () => this.read(prefix));
      lookUp = lookUp.finally(() => this.lookUps.delete(prefix));
      this.lookUps.set(prefix, lookUp);
    }
    return lookUp;
  }

  private async read(prefix: string): Promise<KnownKey | undefined> {
    const asOf = { start: performance.now() }; // what is revoked while we wait is not believed any longer for that
    const row = await this.reads.firstRow<KeyRow>(FIND_KEY, [prefix]);
    if (row === undefined) {
      this.known.delete(prefix);
      this.unknown.set(prefix, true, asOf);
      return undefined;
    }
    const known: KnownKey = {
      hash: row.hash,
      caller: { keyPrefix: prefix, customerId: row.customer_id, scopes: row.scopes },
      expiresAt: row.expires_at_ms ?? Infinity,
    };
    this.known.set(prefix, known, asOf);
    return known;
  }
}

/** Compared in constant time, whether by the key or by its hash. */
function isTheKey(known: KnownKey, text: string): boolean {
  const given = Buffer.from(text);
  if (known.proven?.length === given.length && timingSafeEqual(known.proven, given)) return true;
  if (!timingSafeEqual(known.hash, hashOf(text))) return false;
  known.proven = given;
  return true;
}
