// Recognizes API keys. What was looked up is believed for a few seconds, so that a revoked key stops soon and a busy one
// costs nothing. Unknown prefixes are remembered apart and in a bounded number, so that guesses push no real key out.
import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { Reads, type Statement } from '../database/reads.js';
import { hashOf, prefixOf } from './api-key.js';
import type { Caller } from './caller.js';
import { KeyUse } from './key-use.js';

const BELIEVED_MS = 3_000;
const MAX_UNKNOWN = 10_000;

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

const NOBODY = Promise.resolve(undefined);

@Injectable()
export class ApiKeysService {
  private readonly remembered = new Map<string, Remembered>();
  /** Prefixes that no key has, and until when that is believed. */
  private readonly unknown = new Map<string, number>();

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
    if ((this.unknown.get(prefix) ?? 0) > now) return NOBODY;
    // Those who ask meanwhile wait for the same answer.
    const key = this.find(prefix);
    this.remembered.set(prefix, { key, until: now + BELIEVED_MS });
    key.then(
      (found) => found ?? this.rememberUnknown(prefix, now + BELIEVED_MS),
      () => this.remembered.delete(prefix), // says nothing about the key: the next request asks again
    );
    return key;
  }

  private rememberUnknown(prefix: string, until: number): void {
    this.remembered.delete(prefix);
    this.unknown.delete(prefix);
    this.unknown.set(prefix, until);
    if (this.unknown.size <= MAX_UNKNOWN) return;
    const [oldest] = this.unknown.keys(); // a Map keeps the order of insertion
    if (oldest !== undefined) this.unknown.delete(oldest);
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
}
