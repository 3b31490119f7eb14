// What the operator's commands do, without a process for each: the registers of keys and webhooks on a connection that may write.
import { afterAll } from '@jest/globals';
import type { Pool, PoolConfig } from 'pg';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { ManagedWrites } from '../../src/common/writes/managed-writes.js';
import { asPostgres, openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { DeliveryLog, EndpointRegister } from '../../src/webhooks/endpoint-register.js';
import { Endpoints } from '../../src/webhooks/endpoints.js';
import type { SecretBox } from '../../src/webhooks/secrets.js';
import { WebhookEndpoint } from '../../src/webhooks/webhook-endpoint.entity.js';
import { SCOPES, type Scope } from '../../src/common/auth/scope.js';
import { ApiKey } from '../../src/people/api-key.entity.js';
import { Keys } from '../../src/people/keys.js';
import { Customer } from '../../src/customers/customer.entity.js';
import { createTestDatabase, openPool } from './database.js';

export function openOperator(databaseUrl: string): Promise<DataSource> {
  const entities = [ApiKey, Customer, WebhookEndpoint];
  return openDataSource({ ...operatorOptions(databaseUrl), entities });
}

/** A database of a spec file without a service, and connections to it; all of them end with the file. */
export async function openDatabase(
  connections: PoolConfig = { max: 4 },
): Promise<{ url: string; sql: Pool; operator: DataSource }> {
  const database = await createTestDatabase();
  const sql = openPool(database.url, connections);
  const operator = await openOperator(database.url);
  afterAll(async () => {
    await operator.destroy();
    await sql.end();
    await database.drop();
  });
  return { url: database.url, sql, operator };
}

export interface KeyBounds {
  readonly name: string;
  readonly customerId: string | null;
  readonly expiresAt: Date | null;
  readonly scopes?: readonly Scope[];
}

/** Keys, as commands change them and as the operator sees them. */
export class TestKeys {
  private readonly keys: Keys;

  constructor(operator: DataSource) {
    const transactions = new OpenTransactions(operator);
    this.keys = new Keys(new ManagedWrites(transactions, pino({ level: 'silent' })), transactions);
  }

  async create({ customerId: customer_id, expiresAt: expires_at, ...bounds }: KeyBounds): Promise<string> {
    return (await this.keys.create({ ...bounds, customer_id, expires_at }, by('keys create'))).object.secret;
  }

  async roll(prefix: string, graceMs: number): Promise<string> {
    return (await this.keys.roll(prefix, graceMs / 1000, by('keys roll'))).object.secret;
  }

  revoke = (prefix: string) => this.keys.revoke(prefix, by('keys revoke'));
  list = () => this.keys.all();
}

export function keysOf(operator: DataSource): TestKeys {
  return new TestKeys(operator);
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
  requestId: '',
  ifMatch: undefined,
  ifNoneMatch: undefined,
  command,
});

/** Transactions on the connections of the test, which end with them. */
class OpenTransactions extends Transactions {
  constructor(private readonly dataSource: DataSource) {
    super(() => asPostgres(dataSource.options));
  }

  protected override open(): Promise<DataSource> {
    return Promise.resolve(this.dataSource);
  }
}

/** Webhook endpoints, as commands change them and as the operator sees them. */
export class TestEndpoints extends EndpointRegister {
  constructor(
    operator: DataSource,
    box: SecretBox,
    private readonly changes = new Endpoints(
      new ManagedWrites(new OpenTransactions(operator), pino({ level: 'silent' })),
      box,
      { webhooks: { secretKeys: ['the box has them'], allowPrivate: true, nameServers: [] } },
    ),
  ) {
    super(operator.getRepository(WebhookEndpoint), box);
  }

  async add({ customerId: customer_id, ...endpoint }: NewEndpoint): Promise<{ id: string; secret: string }> {
    return (await this.changes.create({ ...endpoint, customer_id }, by('webhooks add'))).object;
  }

  async rollSecret(id: string): Promise<string> {
    return (await this.changes.rollSecret(id, by('webhooks roll-secret'))).object.secret;
  }

  async replay(id: string, since: string): Promise<number> {
    return (await this.changes.replay(id, since, by('webhooks replay'))).object.queued;
  }

  enable = (id: string) => this.changes.patch(id, { enabled: true }, by('webhooks enable'));
  disable = (id: string) =>
    this.changes.patch(id, { enabled: false }, by('webhooks disable'), 'the operator disabled it');
  remove = (id: string) => this.changes.remove(id, by('webhooks remove'));
  test = async (id: string) => (await this.changes.test(id, by('webhooks test'))).object;
}

export function endpointsOf(operator: DataSource, box: SecretBox): TestEndpoints {
  return new TestEndpoints(operator, box);
}

export function deliveriesOf(operator: DataSource): DeliveryLog {
  return new DeliveryLog(operator);
}
