// Metrics of API keys that end soon, so that nobody learns of it by a 401.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reads, type Statement } from '../../platform/database/reads.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { IS_ACTIVE } from './api-key.js';

/** Within 14 days, and not rolled: then a newer key of the same name and customer ends later. */
const ENDING_KEYS: Statement = {
  name: 'ending_keys',
  text: `
    select prefix, date_part('epoch', expires_at - now()) as seconds
    from (
      select *, max(coalesce(expires_at, 'infinity')) filter (where revoked_at is null) over (
                  partition by name, customer_id order by created_at desc groups between unbounded preceding and 1 preceding) as newer_ends
      from api_keys
    ) key
    where expires_at < now() + interval '14 days' and ${IS_ACTIVE} and coalesce(newer_ends <= expires_at, true)
    order by expires_at limit 50`,
};

@Injectable()
export class KeyMetrics implements OnModuleInit {
  constructor(
    private readonly reads: Reads,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const help = 'How long keys are still valid that end within 14 days and were not rolled, the first 50.';
    const read = async (): Promise<Record<string, number>> => {
      const rows = await this.reads.rows<{ prefix: string; seconds: number }>(ENDING_KEYS, []);
      return Object.fromEntries(rows.map(({ prefix, seconds }) => [prefix, seconds]));
    };
    this.metrics.gauge('api_key_ends_in_seconds', help, read, 'key');
  }
}
