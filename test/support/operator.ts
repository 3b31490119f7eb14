// What the operator's commands do, without a process for each: the registers of keys and webhooks on a connection that may write.
import type { DataSource } from 'typeorm';
import { DeliveryLog } from '../../src/webhooks/delivery-log.js';
import { Endpoints } from '../../src/webhooks/endpoints.js';
import type { SecretBox } from '../../src/webhooks/secrets.js';
import { WebhookEndpoint } from '../../src/webhooks/webhook-endpoint.entity.js';
import { ApiKey } from '../../src/common/auth/api-key.entity.js';
import { KeyRegistry } from '../../src/common/auth/key-registry.js';
import { Customer } from '../../src/customers/customer.entity.js';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';

export function openOperator(databaseUrl: string): Promise<DataSource> {
  const entities = [ApiKey, Customer, WebhookEndpoint];
  return openDataSource({ ...operatorOptions(databaseUrl), entities });
}

export function keysOf(operator: DataSource): KeyRegistry {
  return new KeyRegistry(operator.getRepository(ApiKey));
}

export function endpointsOf(operator: DataSource, box: SecretBox): Endpoints {
  return new Endpoints(operator.getRepository(WebhookEndpoint), operator.getRepository(Customer), box);
}

export function deliveriesOf(operator: DataSource): DeliveryLog {
  return new DeliveryLog(operator);
}
