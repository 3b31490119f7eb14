// What an operator does with webhook endpoints: add, list, remove, enable, disable, roll a secret.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, QueryDeepPartialEntity, Repository } from 'typeorm';
import { byCommand, changesBetween, recordActivity, type Activity } from '../common/writes/activity.js';
import { Customer } from '../customers/customer.entity.js';
import { newSecret, SecretBox } from './secrets.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

interface EndpointRecord {
  readonly id: string;
  readonly url: string;
  readonly customer: string | null;
  readonly types: string[] | null;
  readonly description: string | null;
  readonly created_at: Date;
  /** `enabled`, or why nothing is sent. */
  readonly state: string;
  readonly failing_since: Date | null;
  readonly pending: number;
}

export type NewEndpoint = Pick<WebhookEndpoint, 'url' | 'customerId' | 'types' | 'description'>;

const OLDEST_FIRST = { createdAt: 'asc', id: 'asc' } as const;

@Injectable()
export class Endpoints {
  constructor(
    @InjectRepository(WebhookEndpoint) private readonly endpoints: Repository<WebhookEndpoint>,
    @InjectRepository(Customer) private readonly customers: Repository<Customer>,
    private readonly box: SecretBox,
  ) {}

  /** The secret is returned this once. */
  async add({ customerId, ...endpoint }: NewEndpoint): Promise<{
    id: string;
    secret: string;
  }> {
    if (customerId !== null && !(await this.customers.existsBy({ id: customerId, deleted: false }))) {
      throw new Error(`There is no customer with the id "${customerId}".`);
    }
    const [{ id }] = await this.endpoints.query<[{ id: string }]>('select new_id() as id');
    const secret = newSecret();
    await this.endpoints.manager.transaction(async (manager) => {
      const sealed = this.box.seal(secret, id);
      await manager.insert(WebhookEndpoint, { ...endpoint, id, customerId, secret: sealed });
      await recordActivity(manager, byCommand('webhooks add'), [activityOf({ id, customerId }, 'create')]);
    });
    return { id, secret };
  }

  async list(): Promise<EndpointRecord[]> {
    const endpoints = await this.endpoints.find({ order: OLDEST_FIRST });
    const [{ here }] = await this.endpoints.query<[{ here: string }]>('select database_identity() as here');
    const counts = await this.endpoints.query<{ id: string; n: number }[]>(
      `select endpoint_id as id, count(*)::integer as n from webhook_deliveries where status = 'pending' group by 1`,
    );
    const pending = new Map(counts.map(({ id, n }) => [id, n]));
    return endpoints.map((endpoint) => ({
      id: endpoint.id,
      url: endpoint.url,
      customer: endpoint.customerId,
      types: endpoint.types,
      description: endpoint.description,
      created_at: endpoint.createdAt,
      failing_since: endpoint.failingSince,
      pending: pending.get(endpoint.id) ?? 0,
      state: this.stateOf(endpoint, here),
    }));
  }

  private stateOf({ id, secret, disabledAt, disabledReason, madeIn }: WebhookEndpoint, here: string): string {
    if (disabledAt !== null) return `disabled: ${disabledReason ?? 'reason unknown'}`;
    if (madeIn !== here)
      return 'waiting: this database was restored from a backup of another (resume delivers from here)';
    if (this.box.open(secret, id) === undefined)
      return 'waiting: WEBHOOK_SECRET_KEY does not open its secret (roll-secret makes a new one)';
    return 'enabled';
  }

  async find(id: string): Promise<{ url: string; secrets: string[] }> {
    const endpoint = await this.endpoints.findOneBy({ id });
    if (endpoint === null) throw unknown(id);
    const { url, secret, previousSecret, previousSecretUntil } = endpoint;
    const isOver = previousSecretUntil === null || previousSecretUntil <= new Date();
    return { url, secrets: this.box.openAll(id, secret, isOver ? null : previousSecret) };
  }

  /** Each by itself, since workers lock in another order. Lines last: until then a worker may put a new delivery in one. */
  async remove(id: string): Promise<void> {
    await this.endpoints.manager.transaction(async (manager) => {
      const endpoint = await lock(manager, id);
      await manager.delete(WebhookEndpoint, { id });
      await recordActivity(manager, byCommand('webhooks remove'), [activityOf(endpoint, 'delete')]);
    });
    for (const table of ['webhook_deliveries', 'webhook_lines'])
      await this.endpoints.query(`delete from ${table} where endpoint_id = $1`, [id]);
  }

  enable(id: string): Promise<void> {
    return this.change(id, 'enable', { disabledAt: null, disabledReason: null, failingSince: null });
  }

  disable(id: string): Promise<void> {
    return this.change(id, 'disable', {
      disabledAt: () => 'coalesce(disabled_at, now())',
      disabledReason: 'the operator disabled it',
    });
  }

  /** Both secrets sign for a day, so that a receiver has time to change over. */
  async rollSecret(id: string): Promise<string> {
    const secret = newSecret();
    await this.change(id, 'roll-secret', {
      previousSecret: () => 'secret',
      previousSecretUntil: () => `now() + interval '24 hours'`,
      secret: this.box.seal(secret, id),
    });
    return secret;
  }

  /** Delivers to webhooks of a restored backup from here; returns how many there are, and how many events wait for them. */
  async resume(discardsPending: boolean): Promise<{ resumed: number; pending: number }> {
    const [row] = await this.endpoints.query<[{ resumed: number; pending: number }]>(
      `with resumed as (
         update webhook_endpoints set made_in = database_identity()
         where made_in <> database_identity() returning id, customer_id, disabled_at is null as is_waiting
       ), recorded as (
         insert into activity (type, object_id, owner_id, operation, actor, changes)
         select 'webhook_endpoint', id, customer_id, 'update', 'webhooks resume', '{"state":{"from":"waiting","to":"enabled"}}'
         from resumed where is_waiting
       ), discarded as (
         delete from webhook_deliveries
         where $1 and status = 'pending' and endpoint_id in (select id from resumed) returning 1
       )
       select (select count(*) from resumed)::integer as resumed,
              (select count(*) from webhook_deliveries
               where status = 'pending' and endpoint_id in (select id from resumed))::integer as pending`,
      [discardsPending],
    );
    return row;
  }

  /** Seals every secret with the first key; returns how many, and the ids of those that no key opens. */
  async reencrypt(): Promise<{ sealed: number; unreadable: string[] }> {
    const endpoints = await this.endpoints.find({ order: OLDEST_FIRST });
    const unreadable: string[] = [];
    for (const { id, secret, previousSecret } of endpoints) {
      const [current, previous] = this.box.openAll(id, secret, previousSecret);
      if (current === undefined) {
        unreadable.push(id);
        continue;
      }
      // One that was rolled meanwhile is sealed with the new key already.
      await this.endpoints.update(
        { id, secret },
        {
          secret: this.box.seal(current, id),
          previousSecret: previous === undefined ? null : this.box.seal(previous, id),
        },
      );
    }
    return { sealed: endpoints.length - unreadable.length, unreadable };
  }

  /** Sends kept events once more, with their first ids; returns how many. `since` is as PostgreSQL reads it. */
  async replay(id: string, since: string): Promise<number> {
    await this.find(id);
    const [{ n }] = await this.endpoints.query<[{ n: number }]>(
      `with queued as (
         insert into webhook_deliveries (endpoint_id, event_id, tank_id)
         select endpoint.id, event.id, event.tank_id
         from webhook_endpoints endpoint join events event
           on event.created_at >= $2
          and (endpoint.customer_id is null or endpoint.customer_id = event.owner_id)
          and (endpoint.types is null or event.type = any (endpoint.types))
         where endpoint.id = $1
         order by event.created_at, event.id
         returning 1
       ) select count(*)::integer as n from queued`,
      [id, since],
    );
    return n;
  }

  private change(
    id: string,
    command: 'enable' | 'disable' | 'roll-secret',
    changes: QueryDeepPartialEntity<WebhookEndpoint>,
  ): Promise<void> {
    return this.endpoints.manager.transaction(async (manager) => {
      const before = await lock(manager, id);
      await manager.update(WebhookEndpoint, { id }, changes);
      const after = await manager.findOneByOrFail(WebhookEndpoint, { id });
      const [{ here }] = await manager.query<[{ here: string }]>('select database_identity() as here');
      const isRoll = command === 'roll-secret';
      const changed = isRoll ? {} : changesBetween(this.shown(before, here), this.shown(after, here));
      if (!isRoll && Object.keys(changed).length === 0) return;
      const entry = { ...activityOf(after, isRoll ? 'roll' : 'update'), changes: changed };
      await recordActivity(manager, byCommand(`webhooks ${command}`), [entry]);
    });
  }

  /** What its commands change of it. */
  private shown(endpoint: WebhookEndpoint, here: string): object {
    const [state, reason = null] = this.stateOf(endpoint, here).split(/: (.*)/s, 2);
    return { state, reason, failing_since: endpoint.failingSince?.toISOString() ?? null };
  }
}

const activityOf = (
  { id, customerId }: Pick<WebhookEndpoint, 'id' | 'customerId'>,
  operation: string,
): Activity => ({ type: 'webhook_endpoint', object_id: id, owner_id: customerId, operation });

async function lock(manager: EntityManager, id: string): Promise<WebhookEndpoint> {
  const endpoint = await manager.findOne(WebhookEndpoint, {
    where: { id },
    lock: { mode: 'pessimistic_write' },
  });
  if (endpoint === null) throw unknown(id);
  return endpoint;
}

function unknown(id: string): Error {
  return new Error(`There is no webhook with the id "${id}"; "webhooks list" shows them.`);
}
