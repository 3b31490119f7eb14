// Reads that take the database long: a key has two of them at a time, so that others need not wait for its crowd.
import { afterEach, expect, it } from '@jest/globals';
import { lockTable, waitForLocks } from '../faults/support/own-postgres.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';

// Long enough that nobody's time is over when we look.
const service = await startService({ environment: { DATABASE_POOL_SIZE: '8', ANSWER_TIMEOUT_MS: '60000' } });
const { sql, database } = service;
await insertCustomer(sql, { id: 'owner' });
await insertTank(sql, 'owner', { id: 'tank' });
const [crowd, other] = [await service.createKey(), await service.createKey()];

let unlock = () => Promise.resolve();
afterEach(() => unlock());

it.each([
  '/v1/fleet/tanks?q=ab',
  '/v1/fleet/tanks?low_battery=true',
  '/v1/fleet/tanks?weak_signal=false',
  '/v1/customers?q=ab',
  '/v1/fleet?q=ab',
  '/v1/fleet?low_battery=true',
  '/v1/fleet?weak_signal=false',
  '/v1/tanks/tank/telemetry/series',
])('%s is one', async (path) => {
  await Promise.all([crowd, other].map((key) => service.status(path, key))); // they are known from here on
  unlock = await lockTable(database.url, 'customers, tanks, tank_states');
  const asked = [crowd, crowd, crowd, crowd].map((key) => service.status(path, key));
  await waitForLocks(database.url, 2);
  asked.push(service.status(path, other));
  await waitForLocks(database.url, 3);
  const waiting = await sql.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  await unlock();

  expect(waiting.rowCount).toBe(3);
  expect(await Promise.all(asked)).toEqual([200, 200, 200, 200, 200]);
});
