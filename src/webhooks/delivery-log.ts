// What was sent to an endpoint, for the operator.
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

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
