// The services that commands for keys and webhooks use, from a Nest application without a server. Loaded by those commands only,
// since Nest takes long to load.
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { SCOPES } from '../../common/auth/scope.js';
import { WITHOUT_KEY, type Writer } from '../../common/writes/managed-writes.js';
import { ManageModule } from '../../common/writes/manage.module.js';
import { Transactions } from '../../platform/database/transactions.js';
import { LoggingModule } from '../../platform/logging/logging.module.js';
import { DeliveryLog, EndpointRegister } from '../../webhooks/endpoint-register.js';
import { Endpoints } from '../../webhooks/endpoints.js';
import { WebhookAdminModule } from '../../webhooks/webhooks.module.js';
import { Erasure } from '../../people/erasure.js';
import { Keys } from '../../people/keys.js';
import { KeyAdminModule } from '../../people/people.module.js';
import { loadConfig } from '../../platform/config/config.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { asPostgres, openDataSource, operatorOptions } from '../../platform/database/data-source.js';

export interface Operator {
  readonly keys: Keys;
  readonly erasure: Erasure;
  readonly endpoints: Endpoints;
  readonly register: EndpointRegister;
  readonly deliveries: DeliveryLog;
  /** Who changes something by a command, such as `webhooks add`. */
  readonly by: (command: string) => Writer;
}

const writerOf = (command: string): Writer => ({
  ...WITHOUT_KEY,
  id: 'the command line',
  scopes: SCOPES,
  command,
});

class OperatorModule {}
class OperatorDatabaseModule {}

/** Changes have a connection of their own, as in the service. */
const database = (url: string, typeOrm: DynamicModule): DynamicModule => ({
  module: OperatorDatabaseModule,
  global: true,
  imports: [typeOrm],
  providers: [
    {
      provide: Transactions,
      inject: [getDataSourceToken()],
      useFactory: ({ options: { entities = [] } }: DataSource) =>
        new Transactions(() => ({ ...operatorOptions(url), entities })),
    },
  ],
  exports: [Transactions],
});

export async function actAsOperator<T>(url: string, work: (operator: Operator) => Promise<T>): Promise<T> {
  const typeOrm = TypeOrmModule.forRootAsync({
    useFactory: () => ({ ...operatorOptions(url), autoLoadEntities: true, retryAttempts: 0 }),
    dataSourceFactory: (options) => openDataSource(asPostgres(options)),
  });
  const imports = [
    ConfigModule.with(loadConfig()),
    LoggingModule.with(pino({ level: 'silent' })), // a command says itself what it did
    database(url, typeOrm),
    ManageModule,
    KeyAdminModule,
    WebhookAdminModule,
  ];
  const app = await NestFactory.createApplicationContext(
    { module: OperatorModule, imports },
    { logger: false, abortOnError: false },
  );
  try {
    return await work({
      keys: app.get(Keys),
      erasure: app.get(Erasure),
      endpoints: app.get(Endpoints),
      register: app.get(EndpointRegister),
      deliveries: app.get(DeliveryLog),
      by: writerOf,
    });
  } finally {
    await app.close();
  }
}
