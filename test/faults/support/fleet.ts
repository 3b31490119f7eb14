// A few customers, tanks and readings to ask for, and a key to ask with.
import type { KeyBounds } from '../../support/operator.js';
import { aCustomer, aTank, insertCustomers, insertReadings, insertTanks } from '../../support/builders.js';
import { keysOf, openOperator } from '../../support/operator.js';
import { openSql } from './stage.js';

const READINGS = 300;

export interface Fleet {
  /** Sees everything. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly customerId: string;
  readonly tankId: string;
  /** One address of each kind. */
  readonly paths: readonly string[];
}

export async function createFleet(databaseUrl: string): Promise<Fleet> {
  const customers = Array.from({ length: 20 }, () => aCustomer());
  const tanks = customers.flatMap((owner) => [aTank(owner), aTank(owner)]);
  const customerId = customers[0]?.id ?? '';
  const tankId = tanks[0]?.id ?? '';
  const newest = Date.UTC(2026, 4, 1);
  const readings = Array.from({ length: READINGS }, (_, i) => ({
    created_at: new Date(newest - i * 600_000).toISOString(),
    fill_percentage: i % 100,
  }));
  const sql = openSql(databaseUrl);
  await insertCustomers(sql, customers);
  await insertTanks(sql, tanks);
  await insertReadings(sql, tankId, readings);
  const key = await createKey(databaseUrl);
  const paths = [
    '/v1/customers',
    `/v1/customers/${customerId}`,
    '/v1/tanks?page=2',
    `/v1/tanks/${tankId}`,
    `/v1/tanks/${tankId}/telemetry`,
  ];
  return { key, headers: { 'X-API-Key': key }, customerId, tankId, paths };
}

export async function createKey(databaseUrl: string, bounds: Partial<KeyBounds> = {}): Promise<string> {
  const operator = await openOperator(databaseUrl);
  try {
    return await keysOf(operator).create({ name: 'faults', customerId: null, expiresAt: null, ...bounds });
  } finally {
    await operator.destroy();
  }
}
