// The services that commands for keys and webhooks use, from a Nest application without a server. Loaded by those commands only,
// since Nest takes long to load.
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveryLog } from '../../webhooks/delivery-log.js';
import { Endpoints } from '../../webhooks/endpoints.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { KeyRegistry } from '../../common/auth/key-registry.js';
import { KeyAdminModule } from '../../common/auth/key-admin.module.js';
import { loadConfig } from '../../platform/config/config.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { asPostgres, openDataSource, operatorOptions } from '../../platform/database/data-source.js';

export interface Operator {
  readonly keys: KeyRegistry;
  readonly endpoints: Endpoints;
  readonly deliveries: DeliveryLog;
}

class OperatorModule {}

export async function actAsOperator<T>(url: string, work: (operator: Operator) => Promise<T>): Promise<T> {
  const typeOrm = TypeOrmModule.forRootAsync({
    useFactory: () => ({ ...operatorOptions(url), autoLoadEntities: true, retryAttempts: 0 }),
    dataSourceFactory: (options) => openDataSource(asPostgres(options)),
  });
  const imports = [ConfigModule.with(loadConfig()), typeOrm, KeyAdminModule, WebhooksModule];
  const app = await NestFactory.createApplicationContext(
    { module: OperatorModule, imports },
    { logger: false, abortOnError: false },
  );
  try {
    return await work({
      keys: app.get(KeyRegistry),
      endpoints: app.get(Endpoints),
      deliveries: app.get(DeliveryLog),
    });
  } finally {
    await app.close();
  }
}
