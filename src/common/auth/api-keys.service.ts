// Recognizes API keys.
import { Inject, Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { FRESH_READS, type Reads, type Statement } from '../../platform/database/reads.js';
import { hashKey, IS_ACTIVE, readPrefix } from './api-key.js';
import type { Caller } from './caller.js';
import { LastUse } from './last-use.js';
import { LookUps } from './look-ups.js';
import type { Scope } from './scope.js';

/** Of a caller that is a key. */
export const KEY_COLUMNS = `
  key.prefix, key.parent, key.name, key.customer_id, key.scopes, round(extract(epoch from key.expires_at) * 1000)::float8 as expires_at_ms`;

export interface KeyRow {
  readonly prefix: string;
  readonly parent: string | null;
  readonly name: string;
  readonly customer_id: string | null;
  readonly scopes: Scope[];
  readonly expires_at_ms: number | null;
}

const FIND_KEY: Statement = {
  name: 'find_api_key',
  text: `select hash, ${KEY_COLUMNS} from api_keys key where prefix = $1 and ${IS_ACTIVE}`,
};

interface KnownKey {
  readonly hash: Buffer;
  readonly caller: Caller;
}

@Injectable()
export class ApiKeysService {
  private readonly lookUps = new LookUps((prefix) => this.read(prefix));

  constructor(
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly lastUse: LastUse,
  ) {}

  /** Whether the database has to be asked for a key that was not used here before. */
  isNew(text: string): boolean {
    const prefix = readPrefix(text);
    return prefix !== undefined && this.lookUps.isNew(prefix);
  }

  /** Null when the key is malformed, unknown, expired or revoked. */
  async callerOf(text: string, mayBeCached = true): Promise<Caller | null> {
    const prefix = readPrefix(text);
    if (prefix === undefined) return null;
    const isRight = ({ hash, caller }: KnownKey) =>
      caller.endsAt > Date.now() && timingSafeEqual(hash, hashKey(text));
    const key = await this.lookUps.find(prefix, mayBeCached, isRight);
    if (key === undefined) return null;
    this.lastUse.note('key', prefix, Date.now());
    return key.caller;
  }

  private async read(prefix: string): Promise<KnownKey | undefined> {
    const row = await this.reads.firstRow<KeyRow & { hash: Buffer }>(FIND_KEY, [prefix]);
    return row === undefined ? undefined : { hash: row.hash, caller: callerOfKey(row) };
  }
}

export function callerOfKey(row: KeyRow): Caller {
  return {
    kind: 'key',
    id: row.prefix,
    name: row.name,
    parent: row.parent,
    email: null,
    customerId: row.customer_id,
    scopes: row.scopes,
    endsAt: row.expires_at_ms ?? Infinity,
  };
}
