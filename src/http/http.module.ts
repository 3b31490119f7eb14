// The HTTP server's own parts: what watches requests, what every answer carries, and what answers an unknown address.
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { AllowedMethods } from './allowed-methods.js';
import { Connections } from './connections.js';
import { EarlyRefusal } from './early-refusal.js';
import { InFlightModule } from './in-flight.module.js';
import { Refusals } from './refusals.js';
import { RequestEdge } from './request-edge.js';
import { Turns } from './turns.js';
import { UnmatchedController } from './unmatched.controller.js';

@Module({
  imports: [AuthModule, InFlightModule, MetricsModule],
  controllers: [UnmatchedController],
  providers: [AllowedMethods, Connections, EarlyRefusal, Refusals, RequestEdge, Turns],
})
export class HttpModule {}
