// Who may call: the API key guard and what it stands on.
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { CallerCheck } from './caller-check.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';
import { KeyMetrics } from './key-metrics.js';
import { KeyUse } from './key-use.js';
import { RateLimits } from './rate-limits.js';

@Module({
  imports: [MetricsModule],
  providers: [
    ApiKeysService,
    CallerCheck,
    RateLimits,
    KeyUse,
    KeyMetrics,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
  exports: [CallerCheck],
})
export class AuthModule {}
