// Who may call, and when: the API key guard and what it stands on.
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Admission } from '../admission/admission.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { CallerCheck } from './caller-check.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';
import { KeyMetrics } from './key-metrics.js';
import { KeyUse } from './key-use.js';
import { RateLimits } from './rate-limits.js';

@Global()
@Module({
  imports: [MetricsModule],
  providers: [
    ApiKeysService,
    CallerCheck,
    RateLimits,
    KeyUse,
    Admission,
    KeyMetrics,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
  exports: [Admission, CallerCheck],
})
export class AuthModule {}
