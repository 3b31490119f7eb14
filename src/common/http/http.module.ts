// The HTTP server's own parts.
import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AllowedMethods } from './allowed-methods.js';
import { Connections } from './connections.js';
import { MalformedAddressFilter } from './malformed-address.filter.js';
import { RequestEdge } from './request-edge.js';
import { UnmatchedController } from './unmatched.controller.js';

@Global()
@Module({
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
