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

/** Of mails that go out: those of a deleted customer's recipients wait. */
const MAILS: Statement = {
  name: 'mail_ages',
  text: `
    select (select coalesce(greatest(extract(epoch from clock_timestamp() - min(notice.created_at)), 0), 0)::float8
            from notices notice join recipients recipient on recipient.id = notice.recipient_id
            left join customers customer on customer.id = recipient.owner_id
            where notice.status = 'pending' and customer.deleted is not true) as oldest_mail_seconds,
           (select (server_failing_since is not null)::integer from notice_state) as mail_server_failing`,
};

export interface BackgroundAges {
  readonly oldest_pending_seconds: number;
  readonly last_round_seconds: number;
  readonly oldest_change_seconds: number;
}

export interface MailAges {
  readonly oldest_mail_seconds: number;
  readonly mail_server_failing: number;
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
    addBackgroundMetrics(this.metrics, (statement) =>
      this.reads.firstRow<BackgroundAges & MailAges>(statement, []),
    );
  }
}

export function addBackgroundMetrics(
  metrics: Metrics,
  read: (statement: Statement) => Promise<(BackgroundAges & MailAges) | undefined>,
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
  metrics.gauge(
    'mail_oldest_pending_seconds',
    'Age of the oldest mail that is not sent yet.',
    async () => (await read(MAILS))?.oldest_mail_seconds ?? {},
  );
  metrics.gauge(
    'mail_server_failing',
    'Whether the mail server does not work: 1 from a failure of its own until a mail gets through.',
    async () => (await read(MAILS))?.mail_server_failing ?? {},
  );
}
