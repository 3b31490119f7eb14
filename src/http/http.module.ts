// The HTTP server's own parts.
import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { AllowedMethods } from './allowed-methods.js';
import { Connections } from './connections.js';
import { ProtocolErrors } from './protocol-errors.js';
import { RequestEdge } from './request-edge.js';
import { UnmatchedController } from './unmatched.controller.js';

@Module({
  imports: [MetricsModule],
  controllers: [UnmatchedController],
  providers: [AllowedMethods, Connections, ProtocolErrors, RequestEdge],
})
export class HttpModule {}
