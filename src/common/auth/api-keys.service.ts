// Recognizes API keys. What was looked up is cached for a few seconds, so that a revoked key stops soon and a busy one costs
// nothing. Unknown prefixes have a cache of their own, so that guesses push no real key out. A guess costs one look-up by the primary
// key, unless RateLimits refuses its address.
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { timingSafeEqual } from 'node:crypto';
import { FRESH_READS, type Reads, type Statement } from '../../platform/database/reads.js';
import { hashOf, IS_ACTIVE, prefixOf } from './api-key.js';
import type { Caller } from './caller.js';
import { KeyUse } from './key-use.js';
import type { Scope } from './scope.js';

const CACHE = { max: 10_000, ttl: 3_000, ttlResolution: 50 };
/** How long the prefix of a good key tells it from guesses. */
const FAMILIAR_MS = 86_400_000;

const FIND_KEY: Statement = {
  name: 'find_api_key',
  text: `
    select hash, name, customer_id, scopes, extract(epoch from expires_at)::float8 * 1000 as expires_at_ms
    from api_keys
    where prefix = $1 and ${IS_ACTIVE}`,
};

interface KeyRow {
  hash: Buffer;
  name: string;
  customer_id: string | null;
  scopes: Scope[];
  expires_at_ms: number | null;
}

interface KnownKey {
  readonly hash: Buffer;
  readonly caller: Caller;
  readonly expiresAt: number;
}

@Injectable()
export class ApiKeysService {
  private readonly known = new LRUCache<string, KnownKey>(CACHE);
  private readonly familiar = new LRUCache<string, true>({ ...CACHE, ttl: FAMILIAR_MS });
  private readonly unknown = new LRUCache<string, true>(CACHE);
  /** By prefix: those who ask at the same time wait for the same answer. */
  private readonly lookUps = new Map<string, Promise<KnownKey | undefined>>();

  constructor(
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly keyUse: KeyUse,
  ) {}

  /** Whether the database has to be asked for a key that was not used here before. */
  isNew(text: string): boolean {
    const prefix = prefixOf(text);
    return prefix !== undefined && !this.familiar.has(prefix) && !this.unknown.has(prefix);
  }

  /** Null when the key is malformed, unknown, expired or revoked. */
  async callerOf(text: string, mayBeCached = true): Promise<Caller | null> {
    const prefix = prefixOf(text);
    if (prefix === undefined) return null;
    const cached = mayBeCached ? this.known.get(prefix) : undefined;
    const key = cached ?? (await this.find(prefix));
    const now = Date.now();
    if (key === undefined || key.expiresAt <= now || !timingSafeEqual(key.hash, hashOf(text))) return null;
    this.keyUse.note(prefix, now);
    if (cached === undefined) this.familiar.set(prefix, true);
    return key.caller;
  }

  private async find(prefix: string): Promise<KnownKey | undefined> {
    if (this.unknown.has(prefix)) return undefined;
    let lookUp = this.lookUps.get(prefix);
    if (lookUp === undefined) {
      lookUp = this.read(prefix).finally(() => this.lookUps.delete(prefix));
      this.lookUps.set(prefix, lookUp);
    }
    return lookUp;
  }

  private async read(prefix: string): Promise<KnownKey | undefined> {
    const asOf = { start: performance.now() }; // waiting for the answer does not make it last longer
    const row = await this.reads.firstRow<KeyRow>(FIND_KEY, [prefix]);
    if (row === undefined) {
      this.known.delete(prefix);
      this.unknown.set(prefix, true, asOf);
      return undefined;
    }
    const known: KnownKey = {
      hash: row.hash,
      caller: { keyPrefix: prefix, keyName: row.name, customerId: row.customer_id, scopes: row.scopes },
      expiresAt: row.expires_at_ms ?? Infinity,
    };
    this.known.set(prefix, known, asOf);
    return known;
  }
}
