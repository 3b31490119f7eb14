// What the operator's commands do, without a process for each: the registers of keys and webhooks on a connection that may write.
import type { DataSource } from 'typeorm';
import { DeliveryLog } from '../../src/alerts/webhooks/delivery-log.js';
import { Endpoints } from '../../src/alerts/webhooks/endpoints.js';
import type { SecretBox } from '../../src/alerts/webhooks/secrets.js';
import { WebhookDelivery } from '../../src/alerts/webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../../src/alerts/webhooks/webhook-endpoint.entity.js';
import { ApiKey } from '../../src/auth/api-key.entity.js';
import { KeyRegistry } from '../../src/auth/key-registry.js';
import { Customer } from '../../src/customers/customer.entity.js';
import { openDataSource, operatorOptions } from '../../src/database/data-source.js';

export function openOperator(databaseUrl: string): Promise<DataSource> {
  const entities = [ApiKey, Customer, WebhookDelivery, WebhookEndpoint];
  return openDataSource({ ...operatorOptions(databaseUrl), entities });
}

export function keysOf(operator: DataSource): KeyRegistry {
  return new KeyRegistry(operator.getRepository(ApiKey));
}

export function endpointsOf(operator: DataSource, box: SecretBox): Endpoints {
  return new Endpoints(
    operator.getRepository(WebhookEndpoint),
    operator.getRepository(WebhookDelivery),
    operator.getRepository(Customer),
    box,
  );
}

export function deliveriesOf(operator: DataSource): DeliveryLog {
  return new DeliveryLog(operator.getRepository(WebhookDelivery));
}
