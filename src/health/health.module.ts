// Health: the probes and what they check.
import { Module } from '@nestjs/common';
import { ClockCheck } from './clock-check.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { WriteCheck } from './write-check.js';

@Module({
  controllers: [HealthController],
  providers: [HealthService, WriteCheck, ClockCheck],
})
export class HealthModule {}
