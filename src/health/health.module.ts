// Health: the probes and what they check.
import { Module } from '@nestjs/common';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { ClockCheck } from './clock-check.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { WriteCheck } from './write-check.js';

@Module({
  imports: [MetricsModule],
  controllers: [HealthController],
  providers: [HealthService, WriteCheck, ClockCheck],
})
export class HealthModule {}
