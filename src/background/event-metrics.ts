// Metrics of events and the background work, read from the database. Every process reports them, whoever does the work: a worker that
// is dead cannot.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reads, type Statement } from '../platform/database/reads.js';
import { Metrics } from '../platform/metrics/metrics.js';

const EVENTS_BY_TYPE: Statement = {
  name: 'events_by_type',
  text: 'select type, sum(n)::integer as n from event_counts group by type',
};

const BACKGROUND_AGES: Statement = {
  name: 'background_ages',
  text: 'select oldest_pending_seconds, last_round_seconds, oldest_change_seconds from background_ages()',
};

/** At most 10,000 of an endpoint are counted: with more, it matters no longer how many. */
const PENDING_DELIVERIES: Statement = {
  name: 'pending_deliveries',
  text: `
    select coalesce(sum(pending.n), 0)::integer as n
    from webhook_endpoints endpoint
    cross join lateral (
      select count(*) as n from (
        select from webhook_deliveries where endpoint_id = endpoint.id and status = 'pending' limit 10000
      ) delivery
    ) pending
    where endpoint.disabled_at is null`,
};

export interface BackgroundAges {
  readonly oldest_pending_seconds: number;
  readonly last_round_seconds: number;
  readonly oldest_change_seconds: number;
}

@Injectable()
export class EventMetrics implements OnModuleInit {
  constructor(
    private readonly reads: Reads,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('tank_events', 'Stored events, by type.', async () => {
      const rows = await this.reads.rows<{ type: string; n: number }>(EVENTS_BY_TYPE, []);
      return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
    });
    const pending = 'Pending deliveries to enabled webhooks, up to 10,000 of each.';
    this.metrics.gauge('webhook_pending_deliveries', pending, async () => {
      const row = await this.reads.firstRow<{ n: number }>(PENDING_DELIVERIES, []);
      return row?.n ?? {};
    });
    addBackgroundMetrics(this.metrics, (statement) => this.reads.firstRow<BackgroundAges>(statement, []));
  }
}

export function addBackgroundMetrics(
  metrics: Metrics,
  read: (statement: Statement) => Promise<BackgroundAges | undefined>,
): void {
  metrics.gauge(
    'webhook_oldest_pending_seconds',
    'Age of the oldest pending delivery to an enabled webhook.',
    async () => (await read(BACKGROUND_AGES))?.oldest_pending_seconds ?? {},
  );
  metrics.gauge(
    'changes_oldest_waiting_seconds',
    'Age of the oldest change that is not in the feed yet.',
    async () => (await read(BACKGROUND_AGES))?.oldest_change_seconds ?? {},
  );
  metrics.gauge(
    'background_last_round_seconds',
    'Time since any process last looked for silent tanks.',
    async () => (await read(BACKGROUND_AGES))?.last_round_seconds ?? {},
  );
}
