// The services that the API has for keys, webhooks and erasing, in a Nest application without a server. Loaded by the commands that use them
// only, since Nest takes long to load.
import { Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { SCOPES } from '../../common/auth/scope.js';
import { RecordedWrites, WITHOUT_KEY, type Writer } from '../../common/writes/recorded-writes.js';
import { Customer } from '../../customers/customer.entity.js';
import { ApiKey } from '../../people/api-key.entity.js';
import { Erasure } from '../../people/erasure.js';
import { KeysService } from '../../people/keys.service.js';
import { ConfigModule, loadConfig } from '../../platform/config/config.js';
import { withDataSource } from '../../platform/database/data-source.js';
import { findPool } from '../../platform/database/pool.js';
import { FRESH_READS, Reads } from '../../platform/database/reads.js';
import { Transactions } from '../../platform/database/transactions.js';
import { LoggingModule } from '../../platform/logging/logger.js';
import { SECRET_BOX } from '../../webhooks/secrets.js';
import { WebhookDeliveriesService } from '../../webhooks/webhook-deliveries.service.js';
import { WebhookEndpoint } from '../../webhooks/webhook-endpoint.entity.js';
import { WebhookEndpointsService } from '../../webhooks/webhook-endpoints.service.js';
import { WebhookTests } from '../../webhooks/webhook-tests.js';

@Injectable()
export class Operator {
  constructor(
    readonly keys: KeysService,
    readonly erasure: Erasure,
    readonly endpoints: WebhookEndpointsService,
    readonly tests: WebhookTests,
    readonly deliveries: WebhookDeliveriesService,
  ) {}

  /** Who changes something by a command, such as `webhooks add`. */
  readonly by = (command: string): Writer => ({
    ...WITHOUT_KEY,
    id: 'the command line',
    scopes: SCOPES,
    command,
  });
}

const ENTITIES = [ApiKey, Customer, WebhookEndpoint];

class OperatorModule {}

export function actAsOperator<T>(url: string, work: (operator: Operator) => Promise<T>): Promise<T> {
  const act = async (dataSource: DataSource): Promise<T> => {
    const config = loadConfig();
    const providers = [
      { provide: Reads, useFactory: () => new Reads(findPool(dataSource), Infinity) },
      { provide: FRESH_READS, useExisting: Reads },
      { provide: Transactions, useFactory: () => new Transactions(dataSource) },
      SECRET_BOX,
      RecordedWrites,
      KeysService,
      Erasure,
      WebhookEndpointsService,
      WebhookTests,
      WebhookDeliveriesService,
      Operator,
    ];
    const silent = LoggingModule.with(pino({ level: 'silent' })); // a command says itself what it did
    const app = await NestFactory.createApplicationContext(
      { module: OperatorModule, imports: [ConfigModule.with(config), silent], providers },
      { logger: false, abortOnError: false },
    );
    try {
      return await work(app.get(Operator));
    } finally {
      await app.close();
    }
  };
  return withDataSource(url, act, ENTITIES);
}
