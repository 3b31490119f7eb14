// Metrics of the background work, read from the database. Every process reports them, whoever does the work: a worker that is dead cannot.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reads, type Statement } from '../platform/database/reads.js';
import { Scheduler } from '../platform/lifecycle/scheduler.js';
import { Metrics } from '../platform/metrics/metrics.js';

/** What each gauge is, and the statement that reads them. At most 10,000 deliveries of an endpoint are counted: with more, it matters no longer how many. */
const GAUGES: readonly (Statement & { readonly help: Readonly<Record<string, string>> })[] = [
  {
    name: 'background_ages',
    text: `
      select oldest_pending_seconds as webhook_oldest_pending_seconds, oldest_change_seconds as changes_oldest_waiting_seconds,
             last_round_seconds as background_last_round_seconds
      from background_ages()`,
    help: {
      webhook_oldest_pending_seconds: 'Age of the oldest pending delivery to an enabled webhook.',
      changes_oldest_waiting_seconds: 'Age of the oldest change that is not in the feed yet.',
      background_last_round_seconds: 'Time since any process last looked for silent tanks.',
    },
  },
  {
    name: 'pending_deliveries',
    text: `
      select coalesce(sum(pending.n), 0)::integer as webhook_pending_deliveries
      from webhook_endpoints endpoint
      cross join lateral (
        select count(*) as n from (
          select from webhook_deliveries where endpoint_id = endpoint.id and status = 'pending' limit 10000
        ) delivery
      ) pending
      where endpoint.disabled_at is null`,
    help: { webhook_pending_deliveries: 'Pending deliveries to enabled webhooks, up to 10,000 of each.' },
  },
  {
    name: 'measuring_put_off',
    text: `select count(*)::integer as measuring_put_off from run_stops where measure_since is not null and measure_tries > 1`,
    help: {
      measuring_put_off: 'Deliveries whose measuring did not end twice or more often, and is put off.',
    },
  },
  {
    // Of mails that go out: those of a deleted customer's recipients wait.
    name: 'mail_ages',
    text: `
      select (select coalesce(greatest(extract(epoch from clock_timestamp() - min(notice.created_at)), 0), 0)::float8
              from notices notice join recipients recipient on recipient.id = notice.recipient_id
              left join customers customer on customer.id = recipient.owner_id
              where notice.status = 'pending' and customer.deleted is not true) as mail_oldest_pending_seconds,
             (select (server_failing_since is not null)::integer from notice_state) as mail_server_failing`,
    help: {
      mail_oldest_pending_seconds: 'Age of the oldest mail that is not sent yet.',
      mail_server_failing:
        'Whether the mail server does not work: 1 from a failure of its own until a mail gets through.',
    },
  },
];

@Injectable()
export class BackgroundMetrics implements OnModuleInit {
  constructor(
    private readonly reads: Reads,
    private readonly metrics: Metrics,
    private readonly scheduler: Scheduler,
  ) {}

  onModuleInit(): void {
    for (const { help, ...statement } of GAUGES)
      for (const [gauge, text] of Object.entries(help))
        this.metrics.gauge(gauge, text, async () => {
          const row = await this.reads.firstRow<Record<string, number>>(statement, []);
          return row?.[gauge] ?? {};
        });
    const failing = 'Whether the last run of a task of this process failed.';
    this.metrics.gauge('task_failing', failing, () => this.scheduler.failing, 'task');
  }
}
