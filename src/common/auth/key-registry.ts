// Issues, rolls, revokes and lists API keys, for the operator. A key is shown once, when it is made.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ApiKey } from './api-key.entity.js';
import { IS_ACTIVE, newKey } from './api-key.js';
import { DEFAULT_SCOPES, type Scope } from './scope.js';

export interface KeyRecord {
  prefix: string;
  name: string;
  customer: string | null;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  state: 'active' | 'expired' | 'revoked' | 'customer deleted';
}

export interface KeyBounds {
  readonly name: string;
  readonly customerId: string | null;
  readonly expiresAt: Date | null;
  /** Default: `read`. */
  readonly scopes?: readonly Scope[];
}

@Injectable()
export class KeyRegistry {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /** Returns the key itself, which is not kept. */
  async create({ name, customerId, expiresAt, scopes = DEFAULT_SCOPES }: KeyBounds): Promise<string> {
    const customer = 'select from customers where id = $1 and not deleted';
    if (customerId !== null && (await this.keys.query<unknown[]>(customer, [customerId])).length === 0)
      throw new Error(`There is no customer with the id "${customerId}".`);
    const { key, prefix, hash } = newKey();
    await this.keys.insert({ prefix, hash, name, customerId, expiresAt, scopes: [...new Set(scopes)] });
    return key;
  }

  /** A new key with the same name, bounds and scopes; the old one ends after the grace, or earlier if it was to. */
  async roll(prefix: string, graceMs: number): Promise<string> {
    const { key, prefix: newPrefix, hash } = newKey();
    const rolled = await this.keys.query<unknown[]>(
      `with old as (
         update api_keys set expires_at = least(expires_at, now() + $2 * interval '1 millisecond')
         where prefix = $1 and ${IS_ACTIVE}
         returning name, customer_id, scopes
       )
       insert into api_keys (prefix, hash, name, customer_id, expires_at, scopes)
       select $3, $4, old.name, old.customer_id, before.expires_at, old.scopes
       from old, api_keys before where before.prefix = $1 -- as it was when the statement began
       returning prefix`,
      [prefix, graceMs, newPrefix, hash],
    );
    if (rolled.length === 0) throw new Error(`There is no active key with the prefix "${prefix}".`);
    return key;
  }

  async revoke(prefix: string): Promise<void> {
    const { affected } = await this.keys.update(
      { prefix },
      { revokedAt: () => 'coalesce(revoked_at, now())' },
    );
    if (affected === 0) throw new Error(`There is no key with the prefix "${prefix}".`);
  }

  list(): Promise<KeyRecord[]> {
    return this.keys.query(`
      select prefix, name, customer_id as customer, scopes, created_at, expires_at, revoked_at, last_used_at,
             case when revoked_at is not null then 'revoked'
                  when expires_at <= now() then 'expired'
                  when ${IS_ACTIVE} then 'active'
                  else 'customer deleted' end as state
      from api_keys order by created_at, prefix`);
  }
}
