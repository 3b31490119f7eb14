// The modules of the service, the pipe that checks what is sent, and the filter through which every error leaves. The guard is
// registered by AuthModule.
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AlertsModule } from './alerts/alerts.module.js';
import { AuthModule } from './auth/auth.module.js';
import { TurnsModule } from './auth/turns.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/config.js';
import { CustomerWritesModule } from './customers/customer-writes.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { DatabaseModule } from './database/database.module.js';
import { FleetModule } from './fleet/fleet.module.js';
import { FleetPageModule } from './fleet-page/fleet-page.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { KeyModule } from './keys/key.module.js';
import type { Logger } from './logging/logger.js';
import { LoggingModule } from './logging/logging.module.js';
import type { FindExamples } from './openapi/serve-documentation.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { SensorsModule } from './sensors/sensors.module.js';
import { UplinksModule } from './sensors/uplinks.module.js';
import { TankWritesModule } from './tanks/tank-writes.module.js';
import { TanksModule } from './tanks/tanks.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';
import { InputValidationPipe } from './validation/validation.pipe.js';

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
        { provide: APP_PIPE, useClass: InputValidationPipe },
      ],
      imports: [
        ConfigModule.with(config),
        LoggingModule.with(logger),
        DatabaseModule.at(databaseUrl, config, logger),
        AuthModule,
        TurnsModule,
        HealthModule,
        CustomersModule,
        TanksModule,
        TelemetryModule,
        FleetModule,
        FleetPageModule.with(demoKey),
        KeyModule,
        ...(config.ingest.isOn ? [IngestModule, UplinksModule, CustomerWritesModule, TankWritesModule] : []),
        SensorsModule, // after the addresses of uplinks, which are no ids
        AlertsModule,
        ChangesModule,
        HttpModule, // answers what no other module does, so it comes last
      ],
    };
  }
}
