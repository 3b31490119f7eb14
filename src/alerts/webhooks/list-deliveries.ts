// What was sent to an endpoint, for the operator.
import type { DataSource } from 'typeorm';

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

const NEWEST = 200;

export function listDeliveries(
  dataSource: DataSource,
  endpointId: string,
  failedOnly: boolean,
): Promise<DeliveryRecord[]> {
  return dataSource.query(
    `with delivery as (
       (select * from webhook_deliveries
        where endpoint_id = $1 and status <> 'pending' and (not $2 or status = 'failed')
        order by id desc limit ${NEWEST})
       union all
       (select * from webhook_deliveries
        where endpoint_id = $1 and status = 'pending' and (not $2 or last_reason is not null)
        order by id desc limit ${NEWEST})
     )
     select event_id, event.type, delivery.tank_id, status, tries, delivery.created_at, last_tried_at,
            case when status = 'pending' then next_try_at end as next_try_at, last_status, last_reason as reason
     from delivery join events event on event.id = delivery.event_id
     order by delivery.id desc limit ${NEWEST}`,
    [endpointId, failedOnly],
  );
}
