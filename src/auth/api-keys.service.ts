// Recognizes API keys. What was looked up is believed for a few seconds, so that a revoked key stops soon and a busy one
// costs nothing. Unknown prefixes are remembered apart and in a bounded number, so that guesses push no real key out.
import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { Reads, type Statement } from '../database/reads.js';
import { hashOf, prefixOf } from './api-key.js';
import type { Caller } from './caller.js';
import { KeyUse } from './key-use.js';
import type { Scope } from './scope.js';

const BELIEVED_MS = 3_000;
const MAX_UNKNOWN = 10_000;

const FIND_KEY: Statement = {
  name: 'find_api_key',
  text: `
    select hash, customer_id, scopes, extract(epoch from expires_at)::float8 * 1000 as expires_at_ms
    from api_keys
    where prefix = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
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
  /** When it has to be looked up again. */
  readonly believedUntil: number;
  /** The key that was found to have this hash, so that it need not be hashed again. */
  proven?: Buffer;
}

@Injectable()
export class ApiKeysService {
  private readonly known = new Map<string, KnownKey>();
  /** Prefixes that no key has, and until when that is believed. */
  private readonly unknown = new Map<string, number>();
  /** Those who ask for a prefix that is being looked up wait for the same answer. */
  private readonly lookUps = new Map<string, Promise<KnownKey | undefined>>();

  constructor(
    private readonly reads: Reads,
    private readonly keyUse: KeyUse,
  ) {}

  /**
   * The caller behind a key, or undefined when it is malformed, unknown, expired or revoked. Only a key that is not
   * remembered makes the caller wait.
   */
  identify(text: string): Caller | undefined | Promise<Caller | undefined> {
    const prefix = prefixOf(text);
    if (prefix === undefined) return undefined;
    const now = Date.now();
    const known = this.known.get(prefix);
    if (known !== undefined && known.believedUntil > now) return this.callerOf(known, text, now);
    if ((this.unknown.get(prefix) ?? 0) > now) return undefined;
    return this.lookUp(prefix).then((found) => found && this.callerOf(found, text, now));
  }

  private callerOf(known: KnownKey, text: string, now: number): Caller | undefined {
    if (known.expiresAt <= now || !isTheKey(known, text)) return undefined;
    this.keyUse.note(known.caller.keyPrefix, now);
    return known.caller;
  }

  private lookUp(prefix: string): Promise<KnownKey | undefined> {
    let lookUp = this.lookUps.get(prefix);
    if (lookUp === undefined) {
      lookUp = this.find(prefix).finally(() => this.lookUps.delete(prefix));
      this.lookUps.set(prefix, lookUp);
    }
    return lookUp;
  }

  private async find(prefix: string): Promise<KnownKey | undefined> {
    const believedUntil = Date.now() + BELIEVED_MS;
    const row = await this.reads.firstRow<KeyRow>(FIND_KEY, [prefix]);
    if (row === undefined) {
      this.known.delete(prefix);
      this.rememberUnknown(prefix, believedUntil);
      return undefined;
    }
    const known: KnownKey = {
      hash: row.hash,
      caller: { keyPrefix: prefix, customerId: row.customer_id, scopes: row.scopes },
      expiresAt: row.expires_at_ms ?? Infinity,
      believedUntil,
    };
    this.known.set(prefix, known);
    return known;
  }

  private rememberUnknown(prefix: string, until: number): void {
    this.unknown.delete(prefix);
    this.unknown.set(prefix, until);
    if (this.unknown.size <= MAX_UNKNOWN) return;
    const [oldest] = this.unknown.keys(); // a Map keeps the order of insertion
    if (oldest !== undefined) this.unknown.delete(oldest);
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
