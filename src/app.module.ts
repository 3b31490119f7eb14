// What the service is made of. Cross-cutting behaviour is registered as APP_* providers by the modules it belongs to.
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AuthModule } from './auth/auth.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/config.js';
import { CustomersModule } from './customers/customers.module.js';
import { DatabaseModule } from './database/database.module.js';
import { HealthModule } from './health/health.module.js';
import { InFlight } from './http/in-flight.js';
import { RequestEdge } from './http/request-edge.js';
import { UnmatchedController } from './http/unmatched.controller.js';
import type { Logger } from './logging/logger.js';
import { LoggingModule } from './logging/logging.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { PaginationModule } from './pagination/pagination.module.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { TanksModule } from './tanks/tanks.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';

export interface Parts {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
}

/** Catches what no other module answers, so it comes last. */
@Module({ controllers: [UnmatchedController] })
class UnmatchedModule {}

@Module({})
export class AppModule {
  static of({ config, databaseUrl, logger }: Parts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        LoggingModule.with(logger),
        DatabaseModule.at(databaseUrl),
        AuthModule,
        PaginationModule,
        HealthModule,
        CustomersModule,
        TanksModule,
        TelemetryModule,
        MetricsModule,
        UnmatchedModule,
      ],
      providers: [InFlight, RequestEdge, { provide: APP_FILTER, useClass: ProblemFilter }],
    };
  }
}
