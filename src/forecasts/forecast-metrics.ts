// Metrics of forecasts, read from the database: every process reports them, whoever makes forecasts.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reads, type Statement } from '../platform/database/reads.js';
import { Metrics } from '../platform/metrics/metrics.js';

const AGES: Statement = {
  name: 'forecast_ages',
  text: `
    select seconds,
           (select greatest(date_part('epoch', clock_timestamp() - made_at), 0) from tank_forecasts
            where made_at is not null order by made_at limit 1) as oldest
    from forecast_fleet`,
};

@Injectable()
export class ForecastMetrics implements OnModuleInit {
  constructor(
    private readonly reads: Reads,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const read = async (): Promise<Partial<Record<'seconds' | 'oldest', number | null>>> =>
      (await this.reads.firstRow<{ seconds: number; oldest: number | null }>(AGES, [])) ?? {};
    const help = 'Age of the oldest forecast; each is made anew once a day.';
    this.metrics.gauge('forecast_oldest_seconds', help, async () => (await read()).oldest ?? 0);
    const nightHelp = 'How long it took to make the forecasts of the last night.';
    this.metrics.gauge('forecast_night_seconds', nightHelp, async () => (await read()).seconds ?? 0);
  }
}
