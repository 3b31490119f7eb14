// Events: the endpoints, and the background work that judges tanks, finds silence, removes old data and delivers webhooks.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricsModule } from '../metrics/metrics.module.js';
import { BackgroundRound } from './background-round.entity.js';
import { BackgroundService } from './background.service.js';
import { EventMetrics } from './event-metrics.js';
import { EventCount, TankEvent } from './event.entity.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { TankAlert, TankToJudge } from './tank-alert.entity.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhooks/webhook-endpoint.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      TankEvent,
      EventCount,
      TankAlert,
      TankToJudge,
      BackgroundRound,
      WebhookEndpoint,
      WebhookDelivery,
    ]),
    MetricsModule,
  ],
  controllers: [EventsController],
  providers: [EventsService, EventMetrics, BackgroundService],
  exports: [EventsService],
})
export class AlertsModule {}
