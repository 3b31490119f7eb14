// The HTTP server's own parts, and the answers to addresses that no route has.
import { Global, Module } from '@nestjs/common';
import { AllowedMethods } from './allowed-methods.js';
import { Connections } from './connections.js';
import { RequestLifecycle } from './request-lifecycle.js';
import { UnmatchedController } from './unmatched.controller.js';

@Global()
@Module({
  controllers: [UnmatchedController],
  providers: [AllowedMethods, Connections, RequestLifecycle],
  exports: [AllowedMethods],
})
export class HttpModule {}
