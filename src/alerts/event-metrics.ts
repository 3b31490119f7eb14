// How many events are kept, for Prometheus. They are made in the database, by whoever writes, so they are counted there.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { Metrics } from '../metrics/metrics.js';

const EVENTS_BY_TYPE: Statement = {
  name: 'events_by_type',
  text: 'select type, sum(n)::integer as n from event_days group by type',
};

@Injectable()
export class EventMetrics implements OnModuleInit {
  constructor(
    private readonly reads: Reads,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.describe('tank_events', 'Events that are kept, by type.', async () => {
      const rows = await this.reads.rows<{ type: string; n: number }>(EVENTS_BY_TYPE, []);
      return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
    });
  }
}
