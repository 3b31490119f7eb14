// The background work inside the service, and its metrics.
import { Module } from '@nestjs/common';
import { BackgroundService } from './background.service.js';
import { EventMetrics } from './event-metrics.js';

@Module({ providers: [EventMetrics, BackgroundService] })
export class BackgroundModule {}
