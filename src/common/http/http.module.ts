// The HTTP server's own parts.
import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';
import { AllowedMethods } from './allowed-methods.js';
import { Connections } from './connections.js';
import { MalformedAddressFilter } from './malformed-address.filter.js';
import { RequestEdge } from './request-edge.js';
import { UnmatchedController } from './unmatched.controller.js';

@Global()
@Module({
  imports: [AuthModule, MetricsModule],
  controllers: [UnmatchedController],
  providers: [
    AllowedMethods,
    Connections,
    RequestEdge,
    { provide: APP_FILTER, useClass: MalformedAddressFilter },
  ],
  exports: [AllowedMethods],
})
export class HttpModule {}
