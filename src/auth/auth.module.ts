// Who may call: the API key guard and what it stands on.
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyUse } from './key-use.js';

@Module({
  providers: [ApiKeysService, KeyUse, { provide: APP_GUARD, useClass: ApiKeyGuard }],
  exports: [KeyUse],
})
export class AuthModule {}
