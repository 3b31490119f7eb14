// The modules of the service, the interceptor that makes lists, the pipe that checks what is sent, and the filter through which errors leave.
// AuthModule registers the guard.
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ActivityModule } from './activity/activity.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { BackgroundModule } from './background/background.module.js';
import { AuthModule } from './common/auth/auth.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { ConfigModule, type Config } from './platform/config/config.js';
import { CustomersModule } from './customers/customers.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { FleetModule } from './fleet/fleet.module.js';
import { FleetPageModule } from './fleet/page/fleet-page.module.js';
import { ForecastsModule } from './forecasts/forecasts.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './common/http/http.module.js';
import { RecipientsModule } from './notices/notices.module.js';
import { LoggingModule, type Logger } from './platform/logging/logger.js';
import type { FindExamples } from './common/openapi/serve-documentation.js';
import { WritesModule } from './common/writes/recorded-writes.js';
import { MetricsModule } from './platform/metrics/metrics.js';
import { SchedulerModule } from './platform/lifecycle/scheduler.js';
import { PaginationInterceptor } from './common/pagination/pagination.interceptor.js';
import { ProblemFilter } from './common/problems/problem.filter.js';
import { PeopleModule } from './people/people.module.js';
import { RunsModule } from './runs/runs.module.js';
import { SensorsModule } from './sensors/sensors.module.js';
import { TanksModule } from './tanks/tanks.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { InputValidationPipe } from './common/validation/validation.pipe.js';

export interface Parts {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** In the demo, Swagger UI and the fleet page are already signed in with this key. */
  readonly demoKey?: string;
  /** In the demo, what Swagger UI is prefilled with. */
  readonly examples?: FindExamples;
}

@Module({})
export class AppModule {
  static of({ config, databaseUrl, logger, demoKey }: Parts): DynamicModule {
    return {
      module: AppModule,
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_INTERCEPTOR, useClass: PaginationInterceptor },
        { provide: APP_PIPE, useClass: InputValidationPipe },
      ],
      imports: [
        ConfigModule.with(config),
        LoggingModule.with(logger),
        DatabaseModule.at(databaseUrl, config, logger),
        MetricsModule,
        SchedulerModule,
        WritesModule,
        AuthModule,
        HealthModule,
        CustomersModule,
        TanksModule,
        TelemetryModule,
        FleetModule,
        FleetPageModule.with(demoKey),
        ForecastsModule,
        PeopleModule,
        RunsModule,
        SensorsModule,
        AlertsModule,
        WebhooksModule,
        RecipientsModule,
        ActivityModule,
        BackgroundModule.with(config),
        ChangesModule,
        HttpModule, // answers what no other module does, so it comes last
      ],
    };
  }
}
