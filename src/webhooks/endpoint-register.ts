// What only an operator does with webhook endpoints: sees all of them with what is pending, resumes after a restore, changes the key.
import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import { stateOf } from './endpoint-state.js';
import { SecretBox } from './secrets.js';
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

const OLDEST_FIRST = { created_at: 'asc', id: 'asc' } as const;

@Injectable()
export class EndpointRegister {
  constructor(
    @InjectRepository(WebhookEndpoint) private readonly endpoints: Repository<WebhookEndpoint>,
    private readonly box: SecretBox,
  ) {}

  async list(): Promise<EndpointRecord[]> {
    const endpoints = await this.endpoints.find({ order: OLDEST_FIRST });
    const [{ here }] = await this.endpoints.query<[{ here: string }]>('select database_identity() as here');
    const counts = await this.endpoints.query<{ id: string; n: number }[]>(
      `select endpoint_id as id, count(*)::integer as n from webhook_deliveries where status = 'pending' group by 1`,
    );
    const pending = new Map(counts.map(({ id, n }) => [id, n]));
    return endpoints.map((endpoint) => {
      const { state, reason } = stateOf(endpoint, here, this.box);
      return {
        id: endpoint.id,
        url: endpoint.url,
        customer: endpoint.customer_id,
        types: endpoint.types,
        description: endpoint.description,
        created_at: endpoint.created_at,
        failing_since: endpoint.failing_since,
        pending: pending.get(endpoint.id) ?? 0,
        state: reason === null ? state : `${state}: ${reason}`,
      };
    });
  }

  has(id: string): Promise<boolean> {
    return this.endpoints.existsBy({ id });
  }

  /**
   * Delivers to webhooks of a restored backup from here, and sends its mails; returns how many webhooks there are, how many events wait for
   * them, and how many mails wait, null if they did not wait for this.
   */
  async resume(
    discardsPending: boolean,
  ): Promise<{ resumed: number; pending: number; mails: number | null }> {
    const [row] = await this.endpoints.query<[{ resumed: number; pending: number; mails: number | null }]>(
      `with resumed as (
         update webhook_endpoints set made_in = database_identity()
         where made_in <> database_identity() returning id, url, customer_id, disabled_at is null as is_waiting
       ), recorded as (
         insert into activity (type, object_id, object_name, owner_id, operation, actor, changes)
         select 'webhook_endpoint', id, substring(url from '^[^/]*//[^/]*'), customer_id, 'update', 'webhooks resume', '{"state":{"from":"waiting","to":"enabled"}}'
         from resumed where is_waiting
       ), discarded as (
         delete from webhook_deliveries
         where $1 and status = 'pending' and endpoint_id in (select id from resumed) returning 1
       ), mail as (
         update notice_state set made_in = database_identity(),
                position = case when $1 then (select max(position) from change_feed) else position end
         where made_in <> database_identity() returning 1
       ), discarded_mails as (
         update notices set status = 'failed', next_attempt_at = null, reply = 'it was discarded after a restore'
         where $1 and status = 'pending' and exists (select from mail)
       )
       select case when exists (select from mail) then (select count(*) from notices where status = 'pending')::integer end as mails,
              (select count(*) from resumed)::integer as resumed,
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
    for (const { id, secret, previous_secret } of endpoints) {
      const [current, previous] = this.box.openAll(id, secret, previous_secret);
      if (current === undefined) {
        unreadable.push(id);
        continue;
      }
      // One that was rolled meanwhile is sealed with the new key already.
      await this.endpoints.update(
        { id, secret },
        {
          secret: this.box.seal(current, id),
          previous_secret: previous === undefined ? null : this.box.seal(previous, id),
        },
      );
    }
    return { sealed: endpoints.length - unreadable.length, unreadable };
  }
}

// What was sent to an endpoint.
export interface DeliveryRecord {
  readonly event_id: string;
  readonly type: string;
  readonly tank_id: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly tries: number;
  readonly created_at: Date;
  readonly last_tried_at: Date | null;
  readonly next_try_at: Date | null;
  readonly last_status: number | null;
  readonly reason: string | null;
}

@Injectable()
export class DeliveryLog {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** The newest, as many as asked for; null for all. In two parts, so that each finds its rows by an index of its own. */
  list(endpointId: string, failedOnly: boolean, limit: number | null = null): Promise<DeliveryRecord[]> {
    return this.database.query(
      `with delivery as (
         (select * from webhook_deliveries
          where endpoint_id = $1 and status <> 'pending' and (not $2 or status = 'failed')
          order by id desc limit $3)
         union all
         (select * from webhook_deliveries
          where endpoint_id = $1 and status = 'pending' and (not $2 or last_reason is not null)
          order by id desc limit $3)
       )
       select event_id, event.type, delivery.tank_id, status, tries, delivery.created_at, last_tried_at,
              case when status = 'pending' then next_try_at end as next_try_at, last_status, last_reason as reason
       from delivery join events event on event.id = delivery.event_id
       order by delivery.id desc limit $3`,
      [endpointId, failedOnly, limit],
    );
  }

  async count(endpointId: string, failedOnly: boolean): Promise<number> {
    const [{ n }] = await this.database.query<[{ n: number }]>(
      `select count(*)::integer as n from webhook_deliveries
       where endpoint_id = $1 and (not $2 or status = 'failed' or (status = 'pending' and last_reason is not null))`,
      [endpointId, failedOnly],
    );
    return n;
  }
}
