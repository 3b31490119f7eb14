// What the commands for keys and webhooks work with: the features' own modules, in a Nest application that listens to nobody and
// whose connection may write. Loaded by those commands alone, since Nest takes its time.
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveryLog } from '../alerts/webhooks/delivery-log.js';
import { Endpoints } from '../alerts/webhooks/endpoints.js';
import { WebhooksModule } from '../alerts/webhooks/webhooks.module.js';
import { KeyRegistry } from '../auth/key-registry.js';
import { KeysModule } from '../auth/keys.module.js';
import { loadConfig } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { asPostgres, openDataSource, operatorOptions } from '../database/data-source.js';

@Module({})
class OperatorModule {
  static at(url: string): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      useFactory: () => ({ ...operatorOptions(url), autoLoadEntities: true, retryAttempts: 0 }),
      dataSourceFactory: (options) => openDataSource(asPostgres(options)),
    });
    return {
      module: OperatorModule,
      imports: [ConfigModule.with(loadConfig()), typeOrm, KeysModule, WebhooksModule],
    };
  }
}

export interface Operator {
  readonly keys: KeyRegistry;
  readonly endpoints: Endpoints;
  readonly deliveries: DeliveryLog;
  close(): Promise<void>;
}

export async function openOperator(url: string): Promise<Operator> {
  const app = await NestFactory.createApplicationContext(OperatorModule.at(url), {
    logger: false,
    abortOnError: false,
  });
  return {
    keys: app.get(KeyRegistry),
    endpoints: app.get(Endpoints),
    deliveries: app.get(DeliveryLog),
    close: () => app.close(),
  };
}
