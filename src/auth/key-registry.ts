// Issues, rolls, revokes and lists API keys, for the operator. A key is shown once, when it is made.
import type { DataSource } from 'typeorm';
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
  /** May read, unless told otherwise. */
  readonly scopes?: readonly Scope[];
}

export class KeyRegistryError extends Error {}

export class KeyRegistry {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the key itself, which is not kept. */
  async create({ name, customerId, expiresAt, scopes = DEFAULT_SCOPES }: KeyBounds): Promise<string> {
    if (customerId !== null && !(await this.customerExists(customerId))) {
      throw new KeyRegistryError(`There is no customer with the id "${customerId}".`);
    }
    const { key, prefix, hash } = newKey();
    await this.dataSource.query(
      `insert into api_keys (prefix, hash, name, customer_id, expires_at, scopes)
       values ($1, $2, $3, $4, $5, $6)`,
      [prefix, hash, name, customerId, expiresAt, [...new Set(scopes)]],
    );
    return key;
  }

  /** A new key with the same name, bounds and scopes; the old one ends after the grace, or earlier if it was to. */
  async roll(prefix: string, graceMs: number): Promise<string> {
    const { key, prefix: newPrefix, hash } = newKey();
    const rolled: unknown[] = await this.dataSource.query(
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
    if (rolled.length === 0)
      throw new KeyRegistryError(`There is no active key with the prefix "${prefix}".`);
    return key;
  }

  async revoke(prefix: string): Promise<void> {
    const found: unknown[] = await this.dataSource.query(
      'with revoked as (update api_keys set revoked_at = coalesce(revoked_at, now()) where prefix = $1 returning prefix) select prefix from revoked',
      [prefix],
    );
    if (found.length === 0) throw new KeyRegistryError(`There is no key with the prefix "${prefix}".`);
  }

  list(): Promise<KeyRecord[]> {
    return this.dataSource.query(`
      select prefix, name, customer_id as customer, scopes, created_at, expires_at, revoked_at, last_used_at,
             case when revoked_at is not null then 'revoked'
                  when expires_at <= now() then 'expired'
                  when ${IS_ACTIVE} then 'active'
                  else 'customer deleted' end as state
      from api_keys order by created_at, prefix`);
  }

  private async customerExists(id: string): Promise<boolean> {
    const found: unknown[] = await this.dataSource.query(
      'select 1 from customers where id = $1 and not deleted',
      [id],
    );
    return found.length > 0;
  }
}
