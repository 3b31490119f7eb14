// Issues, rolls, revokes and lists API keys, for the operator. A key is shown once, when it is made.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { byCommand, recordActivity, type Activity } from '../writes/activity.js';
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
  create(
    { name, customerId, expiresAt, scopes = DEFAULT_SCOPES }: KeyBounds,
    command = 'keys create',
  ): Promise<string> {
    return this.keys.manager.transaction(async (manager) => {
      const customer = 'select from customers where id = $1 and not deleted';
      if (customerId !== null && (await manager.query<unknown[]>(customer, [customerId])).length === 0)
        throw new Error(`There is no customer with the id "${customerId}".`);
      const { key, prefix, hash } = newKey();
      const bounds = { name, customerId, expiresAt, scopes: [...new Set(scopes)] };
      await manager.insert(ApiKey, { prefix, hash, ...bounds });
      await recordActivity(manager, byCommand(command), [activityOf({ prefix, name, customerId }, 'create')]);
      return key;
    });
  }

  /** A new key with the same name, bounds and scopes; the old one ends after the grace, or earlier if it was to. */
  roll(prefix: string, graceMs: number): Promise<string> {
    return this.keys.manager.transaction(async (manager) => {
      const { key, prefix: newPrefix, hash } = newKey();
      const [rolled] = await manager.query<{ name: string; customer_id: string | null }[]>(
        `with old as (
         update api_keys set expires_at = least(expires_at, now() + $2 * interval '1 millisecond')
         where prefix = $1 and ${IS_ACTIVE}
         returning name, customer_id, scopes
       )
       insert into api_keys (prefix, hash, name, customer_id, expires_at, scopes)
       select $3, $4, old.name, old.customer_id, before.expires_at, old.scopes
       from old, api_keys before where before.prefix = $1 -- as it was when the statement began
       returning name, customer_id`,
        [prefix, graceMs, newPrefix, hash],
      );
      if (rolled === undefined) throw new Error(`There is no active key with the prefix "${prefix}".`);
      const { name, customer_id: customerId } = rolled;
      await recordActivity(manager, byCommand('keys roll'), [
        activityOf({ prefix, name, customerId }, 'roll'),
        activityOf({ prefix: newPrefix, name, customerId }, 'create'),
      ]);
      return key;
    });
  }

  /** One that is revoked already stays as it is. */
  revoke(prefix: string): Promise<void> {
    return this.keys.manager.transaction(async (manager) => {
      const where = { prefix };
      const key = await manager.findOne(ApiKey, { where, lock: { mode: 'pessimistic_write' } });
      if (key === null) throw new Error(`There is no key with the prefix "${prefix}".`);
      if (key.revokedAt !== null) return;
      await manager.update(ApiKey, where, { revokedAt: () => 'now()' });
      await recordActivity(manager, byCommand('keys revoke'), [activityOf(key, 'revoke')]);
    });
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

const activityOf = (
  { prefix, name, customerId }: Pick<ApiKey, 'prefix' | 'name' | 'customerId'>,
  operation: string,
): Activity => ({
  type: 'key',
  object_id: prefix,
  object_name: name,
  owner_id: customerId,
  operation,
});
