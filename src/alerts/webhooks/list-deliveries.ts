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
    `select event_id, event.type, delivery.tank_id, delivery.status, tries, delivery.created_at, last_tried_at,
            case when delivery.status = 'pending' then next_try_at end as next_try_at, last_status, last_reason as reason
     from webhook_deliveries delivery join events event on event.id = delivery.event_id
     where endpoint_id = $1 and (not $2 or (delivery.status <> 'delivered' and last_reason is not null))
     order by delivery.id desc limit ${NEWEST}`,
    [endpointId, failedOnly],
  );
}
