// What the operator's commands do, without a process for each: the registers of keys and webhooks on a connection that may write.
import { afterAll } from '@jest/globals';
import type { Pool, PoolConfig } from 'pg';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { RecordedWrites } from '../../src/common/writes/recorded-writes.js';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { findPool } from '../../src/platform/database/pool.js';
import { Reads } from '../../src/platform/database/reads.js';
import { WebhookDeliveriesService } from '../../src/webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../../src/webhooks/webhook-endpoints.service.js';
import { WebhookTests } from '../../src/webhooks/webhook-tests.js';
import type { SecretBox } from '../../src/webhooks/secrets.js';
import { WebhookEndpoint } from '../../src/webhooks/webhook-endpoint.entity.js';
import { SCOPES, type Scope } from '../../src/common/auth/scope.js';
import { ApiKey } from '../../src/people/api-key.entity.js';
import { KeysService } from '../../src/people/keys.service.js';
import { Customer } from '../../src/customers/customer.entity.js';
import { openPool, type TestDatabase } from './database.js';
import { createTestDatabase } from './test-database.js';

export function openOperator(databaseUrl: string): Promise<DataSource> {
  const entities = [ApiKey, Customer, WebhookEndpoint];
  return openDataSource({ ...operatorOptions(databaseUrl), entities });
}

/** A database of a spec file without a service, and connections to it; all of them end with the file. */
export async function openDatabase(
  connections: PoolConfig = { max: 4 },
): Promise<{ url: string; database: TestDatabase; sql: Pool; operator: DataSource }> {
  const database = await createTestDatabase();
  const sql = openPool(database.url, connections);
  const operator = await openOperator(database.url);
  afterAll(async () => {
    await operator.destroy();
    await sql.end();
    await database.drop();
  });
  return { url: database.url, database, sql, operator };
}

export interface KeyBounds {
  readonly name: string;
  readonly customerId: string | null;
  readonly expiresAt: Date | null;
  readonly scopes?: readonly Scope[];
}

export type TestKeys = ReturnType<typeof keysOf>;

/** Keys, as commands change them and as the operator sees them. */
export function keysOf(operator: DataSource) {
  const transactions = new Transactions(operator);
  const keys = new KeysService(readsOf(operator), writesOf(transactions), transactions);
  return {
    create: async ({ customerId: customer_id, expiresAt: expires_at, ...bounds }: KeyBounds) =>
      (await keys.create({ ...bounds, customer_id, expires_at }, by('keys create'))).object.secret,
    roll: async (prefix: string, graceMs: number) =>
      (await keys.roll(prefix, graceMs / 1000, by('keys roll'))).object.secret,
    revoke: (prefix: string) => keys.revoke(prefix, by('keys revoke')),
    list: () => keys.listAll(),
  };
}

export interface NewEndpoint {
  readonly url: string;
  readonly customerId: string | null;
  readonly types: string[] | null;
  readonly description: string | null;
}

/** As the command line makes changes. */
const by = (command: string) => ({
  kind: 'key' as const,
  id: 'test',
  name: '',
  email: null,
  customerId: null,
  scopes: SCOPES,
  endsAt: Infinity,
  parent: null,
  requestId: '',
  ifMatch: undefined,
  ifNoneMatch: undefined,
  command,
});

const readsOf = (operator: DataSource) => new Reads(findPool(operator), Infinity);

const writesOf = (transactions: Transactions) => new RecordedWrites(transactions, pino({ level: 'silent' }));

/** Webhook endpoints, as commands change them and as the operator sees them. */
export function endpointsOf(operator: DataSource, box: SecretBox) {
  const webhooks = { secretKeys: ['the box has them'], allowPrivate: true, nameServers: [] };
  const [reads, writes] = [readsOf(operator), writesOf(new Transactions(operator))];
  const endpoints = new WebhookEndpointsService(reads, writes, box, { webhooks });
  const tests = new WebhookTests(endpoints, box, { webhooks });
  const deliveries = new WebhookDeliveriesService(reads, endpoints);
  return {
    add: async ({ customerId: customer_id, ...endpoint }: NewEndpoint) =>
      (await endpoints.create({ ...endpoint, customer_id }, by('webhooks add'))).object,
    rollSecret: async (id: string) =>
      (await endpoints.rollSecret(id, by('webhooks roll-secret'))).object.secret,
    replay: async (id: string, since: string) =>
      (await deliveries.replay(id, since, by('webhooks replay'))).object.queued,
    enable: (id: string) => endpoints.patch(id, { enabled: true }, by('webhooks enable')),
    disable: (id: string) => endpoints.patch(id, { enabled: false }, by('webhooks disable')),
    remove: (id: string) => endpoints.remove(id, by('webhooks remove')),
    list: () => endpoints.listAll(),
    resume: (discardsPending: boolean) => endpoints.resume(discardsPending, by('webhooks resume')),
    sent: async (id: string, failedOnly = false) => (await deliveries.listNewest(id, failedOnly)).sent,
    test: async (id: string) => (await tests.test(id, by('webhooks test'))).object,
  };
}
