// Metrics of events and the background work, read from the database. Every process reports them, whoever does the work: a worker that
// is dead cannot.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { Reads, type Statement } from '../database/reads.js';
import { Metrics } from '../metrics/metrics.js';

const EVENTS_BY_TYPE: Statement = {
  name: 'events_by_type',
  text: 'select type, sum(n)::integer as n from event_counts group by type',
};

const BACKGROUND_AGES: Statement = {
  name: 'background_ages',
  text: 'select oldest_pending_seconds, last_round_seconds from background_ages()',
};

interface BackgroundAges {
  readonly oldest_pending_seconds: number;
  readonly last_round_seconds: number;
}

@Injectable()
export class EventMetrics implements OnModuleInit {
  constructor(
    private readonly reads: Reads,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('tank_events', 'Events that are kept, by type.', async () => {
      const rows = await this.reads.rows<{ type: string; n: number }>(EVENTS_BY_TYPE, []);
      return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
    });
    describeBackground(this.metrics, () => this.reads.firstRow<BackgroundAges>(BACKGROUND_AGES, []));
  }
}

/** For the `worker` command. */
export function describeBackgroundOf(pool: Pick<Pool, 'query'>, metrics: Metrics): void {
  describeBackground(metrics, async () => (await pool.query<BackgroundAges>(BACKGROUND_AGES.text)).rows[0]);
}

function describeBackground(metrics: Metrics, read: () => Promise<BackgroundAges | undefined>): void {
  metrics.gauge(
    'webhook_oldest_pending_seconds',
    'Age of the oldest delivery to an enabled webhook that is pending.',
    async () => (await read())?.oldest_pending_seconds ?? {},
  );
  metrics.gauge(
    'background_last_round_seconds',
    'Time since any process last looked for silent tanks.',
    async () => (await read())?.last_round_seconds ?? {},
  );
}
