// Who may call, and when: the API key guard and what it stands on.
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Admission } from '../admission/admission.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { CallerCheck } from './caller-check.js';
import { KeyMetrics } from './key-metrics.js';
import { LastUse } from './last-use.js';
import { RateLimits } from './rate-limits.js';
import { Sessions } from './sessions.js';
import { SourceTokens } from './source-tokens.js';

@Global()
@Module({
  providers: [
    ApiKeysService,
    Sessions,
    SourceTokens,
    CallerCheck,
    RateLimits,
    LastUse,
    Admission,
    KeyMetrics,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
  exports: [Admission, CallerCheck, RateLimits, Sessions],
})
export class AuthModule {}
