// Health: the probes and what they check.
import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { WriteGrant } from './write-grant.js';

@Module({ controllers: [HealthController], providers: [HealthService, WriteGrant] })
export class HealthModule {}
