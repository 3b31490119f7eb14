// What was sent to an endpoint, for the operator.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository } from 'typeorm';
import { WebhookDelivery, type DeliveryStatus } from './webhook-delivery.entity.js';

export interface DeliveryRecord {
  readonly event_id: string;
  readonly type: string;
  readonly tank_id: string;
  readonly status: DeliveryStatus;
  readonly tries: number;
  readonly created_at: Date;
  readonly last_tried_at: Date | null;
  readonly next_try_at: Date | null;
  readonly last_status: number | null;
  readonly reason: string | null;
}

@Injectable()
export class DeliveryLog {
  constructor(@InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>) {}

  /** The newest, as many as asked for; null for all. In two parts, so that each finds its rows by an index of its own. */
  list(endpointId: string, failedOnly: boolean, limit: number | null = null): Promise<DeliveryRecord[]> {
    return this.deliveries.query(
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

  count(endpointId: string, failedOnly: boolean): Promise<number> {
    if (!failedOnly) return this.deliveries.countBy({ endpointId });
    return this.deliveries.countBy([
      { endpointId, status: 'failed' },
      { endpointId, status: 'pending', lastReason: Not(IsNull()) },
    ]);
  }
}
