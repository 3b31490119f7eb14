// The background work inside the service, and its metrics.
import { Module } from '@nestjs/common';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { BackgroundService } from './background.service.js';
import { EventMetrics } from './event-metrics.js';

@Module({ imports: [MetricsModule], providers: [EventMetrics, BackgroundService] })
export class BackgroundModule {}
