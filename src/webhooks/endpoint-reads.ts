// Reads webhook endpoints and their deliveries, one statement a request, so that a page and its total are of one snapshot.
import { Inject, Injectable } from '@nestjs/common';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch } from '../common/problems/problem.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { selectList } from '../platform/database/columns.js';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import { toWebhookDeliveryResponse, WebhookDeliveryResponse } from './dto/webhook-delivery.response.js';
import type { WebhookDeliveriesQuery, WebhookDeliveryRow } from './dto/webhook-delivery.response.js';
import { toWebhookEndpointResponse, WebhookEndpointResponse } from './dto/webhook-endpoint.response.js';
import type { WebhookEndpointRow } from './dto/webhook-endpoint.response.js';
import { stateOf } from './endpoint-state.js';
import { webhooksOff } from './endpoints.js';
import { SecretBox } from './secrets.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

const MOST_DELIVERIES = 10_000;

const COLUMNS = `${selectList('endpoint', WebhookEndpoint)}, database_identity() as here`;

const FIND_ONE: Statement = {
  name: 'webhook_endpoint_by_id',
  text: `select ${COLUMNS} from webhook_endpoints endpoint where id = $1 and ($2::text is null or customer_id = $2)`,
};

const LIST = pageOfFew(
  'webhook_endpoints_page',
  { table: 'webhook_endpoints', alias: 'endpoint', columns: COLUMNS },
  '($5::text is null or customer_id = $5)',
);

/** By state, since an index finds the newest of each. No row at all: there is no such endpoint. */
const DELIVERIES: Statement = {
  name: 'webhook_deliveries_page',
  text: `
    with found as materialized (
      select delivery.*
      from unnest(case when $7::text is null then '{pending,delivered,failed}'::text[] else array[$7::text] end) asked (status)
      cross join lateral (
        select * from webhook_deliveries
        where endpoint_id = $5 and status = asked.status and created_at >= $1 and created_at < $2
        order by created_at desc, id desc limit ${MOST_DELIVERIES}
      ) delivery
      order by created_at desc, id desc limit ${MOST_DELIVERIES}
    )
    select (select count(*) from found) as total, delivery.id::text, delivery.created_at, delivery.event_id, event.type as event_type,
           delivery.tank_id, delivery.status as state, delivery.tries as attempts, delivery.last_tried_at as last_attempt_at,
           delivery.last_status, case when delivery.status = 'pending' then delivery.next_try_at end as next_attempt_at,
           delivery.last_reason as detail
    from webhook_endpoints endpoint
    left join lateral (select * from found order by created_at desc, id desc offset $3 limit $4) delivery on true
    left join events event on event.id = delivery.event_id
    where endpoint.id = $5 and ($6::text is null or endpoint.customer_id = $6)
    order by delivery.created_at desc, delivery.id desc`,
};

type Row = WebhookEndpointRow & { readonly here: string };

@Injectable()
export class EndpointReads {
  constructor(
    private readonly reads: Reads,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list(query: ListQuery, boundTo: string | null): Promise<Page<WebhookEndpointResponse>> {
    this.requireOn();
    const { since, until, skip, size, isLarge } = query;
    const values = [since, until, skip, size, boundTo];
    const rows = await this.reads.page<Row & CountedRow>(LIST, values, isLarge);
    return pageFromRows(
      WebhookEndpointResponse,
      rows,
      (row) => row.id !== null,
      (row) => this.show(row),
      query,
    );
  }

  async get(id: string, boundTo: string | null): Promise<WebhookEndpointResponse> {
    this.requireOn();
    const row = isStorable(id) ? await this.reads.firstRow<Row>(FIND_ONE, [id, boundTo]) : undefined;
    if (row === undefined) throw noSuch('webhook endpoint');
    return this.show(row);
  }

  /** The newest of them. */
  async deliveries(
    id: string,
    query: WebhookDeliveriesQuery,
    boundTo: string | null,
  ): Promise<Page<WebhookDeliveryResponse>> {
    this.requireOn();
    const { since, until, skip, size, isLarge, state = null } = query;
    const values = [since, until, skip, size, id, boundTo, state];
    const rows = isStorable(id)
      ? await this.reads.rows<WebhookDeliveryRow & CountedRow>(DELIVERIES, values, isLarge)
      : [];
    if (rows.length === 0) throw noSuch('webhook endpoint');
    return pageFromRows(
      WebhookDeliveryResponse,
      rows,
      (row) => row.id !== null,
      toWebhookDeliveryResponse,
      query,
    );
  }

  private show(row: Row): WebhookEndpointResponse {
    return toWebhookEndpointResponse(row, stateOf(row, row.here, this.box));
  }

  private requireOn(): void {
    if (this.config.webhooks.secretKeys.length === 0) throw webhooksOff();
  }
}
