// Recognizes API keys. What was looked up is believed for a few seconds, so that a revoked key stops soon and a busy one
// costs nothing; unknown prefixes are remembered too, in a bounded number.
import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { Reads, type Statement } from '../database/reads.js';
import { hashOf, prefixOf } from './api-key.js';
import type { Caller } from './caller.js';
import { KeyUse } from './key-use.js';

const BELIEVED_MS = 3_000;
const MAX_REMEMBERED = 10_000;

const FIND_KEY: Statement = {
  name: 'find_api_key',
  text: `
    select hash, customer_id, extract(epoch from expires_at)::float8 * 1000 as expires_at_ms
    from api_keys
    where prefix = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
};

interface KeyRow {
  hash: Buffer;
  customer_id: string | null;
  expires_at_ms: number | null;
}

interface KnownKey {
  readonly hash: Buffer;
  readonly caller: Caller;
  readonly expiresAt: number;
}

interface Remembered {
  readonly key: Promise<KnownKey | undefined>;
  readonly until: number;
}

@Injectable()
export class ApiKeysService {
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly reads: Reads,
    private readonly keyUse: KeyUse,
  ) {}

  /** The caller behind a key, or undefined when it is malformed, unknown, expired or revoked. */
  async identify(text: string): Promise<Caller | undefined> {
    const prefix = prefixOf(text);
    if (prefix === undefined) return undefined;
    const now = Date.now();
    const known = await this.lookUp(prefix, now);
    if (known === undefined || known.expiresAt <= now || !timingSafeEqual(known.hash, hashOf(text)))
      return undefined;
    this.keyUse.note(prefix, now);
    return known.caller;
  }

  private lookUp(prefix: string, now: number): Promise<KnownKey | undefined> {
    const remembered = this.remembered.get(prefix);
    if (remembered !== undefined && remembered.until > now) return remembered.key;
    const key = this.find(prefix);
    this.remember(prefix, { key, until: now + BELIEVED_MS });
    // A look-up that failed says nothing about the key: the next request asks again.
    key.catch(() => this.remembered.delete(prefix));
    return key;
  }

  private async find(prefix: string): Promise<KnownKey | undefined> {
    const row = await this.reads.firstRow<KeyRow>(FIND_KEY, [prefix]);
    if (row === undefined) return undefined;
    return {
      hash: row.hash,
      caller: { keyPrefix: prefix, customerId: row.customer_id },
      expiresAt: row.expires_at_ms ?? Infinity,
    };
  }

  /** A Map keeps insertion order, so its first entry is the oldest. */
  private remember(prefix: string, entry: Remembered): void {
    this.remembered.delete(prefix);
    this.remembered.set(prefix, entry);
    if (this.remembered.size > MAX_REMEMBERED) {
      const [oldest] = this.remembered.keys();
      if (oldest !== undefined) this.remembered.delete(oldest);
    }
  }
}
