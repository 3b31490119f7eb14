// Events: the endpoints, and the background work that finds silence, forgets old events and delivers webhooks.
import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { BackgroundService } from './background.service.js';
import { EventMetrics } from './event-metrics.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [MetricsModule],
  controllers: [EventsController],
  providers: [EventsService, EventMetrics, BackgroundService],
})
export class AlertsModule {}
