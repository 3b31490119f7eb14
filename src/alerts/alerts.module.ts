// Events: the endpoints, and the background work that finds silence, forgets old events and delivers webhooks.
import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { BACKGROUND_DATABASE_URL, BackgroundService } from './background.service.js';
import { EventMetrics } from './event-metrics.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({})
export class AlertsModule {
  static at(databaseUrl: string, { ingest }: Config): DynamicModule {
    const url = { provide: BACKGROUND_DATABASE_URL, useValue: ingest.databaseUrl ?? databaseUrl };
    return {
      module: AlertsModule,
      imports: [MetricsModule],
      controllers: [EventsController],
      providers: [EventsService, EventMetrics, url, BackgroundService],
    };
  }
}
