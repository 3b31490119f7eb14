// What was sent to a webhook endpoint, for the API and the command line alike; sends events again.
import { Injectable } from '@nestjs/common';
import { isoFrom, isoOrNull } from '../common/datetime/datetime.js';
import { pageFromRows, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch, type Problem } from '../common/problems/problem.js';
import { conflict } from '../common/writes/problems.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { Reads, type Statement } from '../platform/database/reads.js';
import { LOCK_REPLAY, REPLAY } from './delivery-queue.statements.js';
import { toWebhookDeliveryResponse, WebhookDeliveryResponse } from './dto/webhook-delivery.response.js';
import type { WebhookDeliveriesQuery, WebhookDeliveryRow } from './dto/webhook-delivery.response.js';
import type { WebhookReplayResponse } from './dto/webhook-endpoint.response.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const MOST_DELIVERIES = 10_000;

/** By state, since an index finds the newest of each. No row at all: there is no such endpoint. */
const LIST: Statement = {
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

/** In two parts, so that each finds its rows by an index of its own. */
const LIST_NEWEST: Statement = {
  name: 'webhook_deliveries_newest',
  text: `
    with delivery as (
      (select * from webhook_deliveries
       where endpoint_id = $1 and status <> 'pending' and (not $2 or status = 'failed')
       order by id desc limit $3)
      union all
      (select * from webhook_deliveries
       where endpoint_id = $1 and status = 'pending' and (not $2 or last_reason is not null)
       order by id desc limit $3)
    )
    select event_id, event.type, delivery.tank_id, status, tries, delivery.created_at, last_tried_at,
           case when status = 'pending' then next_try_at end as next_try_at, last_status, last_reason as reason,
           (select count(*)::integer from webhook_deliveries
            where endpoint_id = $1 and (not $2 or status = 'failed' or (status = 'pending' and last_reason is not null))) as total
    from delivery join events event on event.id = delivery.event_id
    order by delivery.id desc limit $3`,
};

/** As the command line shows it. */
export interface SentDelivery {
  readonly event_id: string;
  readonly type: string;
  readonly tank_id: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly tries: number;
  readonly created_at: string;
  readonly last_tried_at: string | null;
  readonly next_try_at: string | null;
  readonly last_status: number | null;
  readonly reason: string | null;
}

/** Where the next slice of events begins, and where the last one ends: what happens later is sent anyway. */
interface ReplaySlice {
  readonly since: string | null;
  /** Null when there are no more. */
  readonly after: string | null;
  readonly until: string | null;
  readonly queued: number;
}

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly reads: Reads,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  /** The newest of them. */
  async list(
    id: string,
    query: WebhookDeliveriesQuery,
    boundTo: string | null,
  ): Promise<Page<WebhookDeliveryResponse>> {
    this.endpoints.requireOn();
    const values = [...query.place, id, boundTo, query.state ?? null];
    const rows = await this.reads.rows<WebhookDeliveryRow & CountedRow>(LIST, values, query.isLarge);
    if (rows.length === 0) throw noSuch('webhook endpoint');
    return pageFromRows(WebhookDeliveryResponse, rows, toWebhookDeliveryResponse, query);
  }

  /** For the operator: the newest, as many as asked for, null for all; only those that failed, for now or for good; and how many there are. */
  async listNewest(
    id: string,
    failedOnly = false,
    limit: number | null = null,
  ): Promise<{ sent: SentDelivery[]; total: number }> {
    await this.endpoints.get(id, null);
    const values = [id, String(failedOnly), limit];
    const rows = await this.reads.rows<SentDelivery & { total: number }>(LIST_NEWEST, values);
    const sent = rows.map(({ total: _total, ...row }) => ({
      ...row,
      created_at: isoFrom(row.created_at),
      last_tried_at: isoOrNull(row.last_tried_at),
      next_try_at: isoOrNull(row.next_try_at),
    }));
    return { sent, total: rows[0]?.total ?? 0 };
  }

  /**
   * Sends kept events once more, with their first ids; `since` is as PostgreSQL reads it. In slices, each of which is kept: those of months
   * would take longer than a statement may.
   */
  async replay(id: string, since: string, writer: Writer): Promise<WriteResult<WebhookReplayResponse>> {
    let queued = 0;
    let asked = writer;
    let slice: ReplaySlice = { since, after: '', until: null, queued };
    while (slice.after !== null) {
      slice = (await this.replayNext(id, slice, asked)).object;
      queued += slice.queued;
      asked = { ...writer, ifMatch: undefined, ifNoneMatch: undefined }; // a condition is about the beginning
    }
    return { object: { object: 'webhook_replay', queued } };
  }

  private replayNext(id: string, { since, after, until }: ReplaySlice, writer: Writer) {
    return this.endpoints.run(writer, async (manager) => {
      const { stored } = await this.endpoints.lock(manager, id, writer, 'key share'); // workers, who note whether it fails, need not wait
      if (stored.disabled_at !== null) throw isDisabled();
      await manager.query(LOCK_REPLAY, [id]);
      const [object] = await manager.query<[ReplaySlice]>(REPLAY, [id, since, after, until]);
      return { object };
    });
  }
}

export function isDisabled(): Problem {
  return conflict('disabled', 'This webhook endpoint is disabled. Enable it first.');
}
