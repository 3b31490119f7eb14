// Events: the endpoints, and the background work that finds silence, forgets old events and delivers webhooks.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricsModule } from '../metrics/metrics.module.js';
import { BackgroundRound } from './background-round.entity.js';
import { BackgroundService } from './background.service.js';
import { EventCount } from './event-count.entity.js';
import { EventMetrics } from './event-metrics.js';
import { TankEvent } from './event.entity.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { TankAlert } from './tank-alert.entity.js';
import { TankToJudge } from './tank-to-judge.entity.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhooks/webhook-endpoint.entity.js';

const ENTITIES = [
  TankEvent,
  EventCount,
  TankAlert,
  TankToJudge,
  BackgroundRound,
  WebhookEndpoint,
  WebhookDelivery,
];

@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES), MetricsModule],
  controllers: [EventsController],
  providers: [EventsService, EventMetrics, BackgroundService],
})
export class AlertsModule {}
