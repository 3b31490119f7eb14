// Who may call: the API key guard and what it stands on.
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { CallerCheck } from './caller-check.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { RateLimits } from '../rate-limit/rate-limits.js';
import { RejectedKeys } from './rejected-keys.js';
import { KeyUse } from './key-use.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), MetricsModule],
  providers: [
    ApiKeysService,
    CallerCheck,
    RejectedKeys,
    RateLimits,
    KeyUse,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
  exports: [CallerCheck],
})
export class AuthModule {}
