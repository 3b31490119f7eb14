// Makes a migrated database on a Citus coordinator a distributed one. One transaction, so all of it or nothing; a second run finds
// nothing to do.
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { inTransaction } from '../database/pool.js';
import { findObstacles } from './checks.js';
import { SETTINGS, takeSteps, type StepOptions } from './steps.js';
import { takeLock } from '../schema/locks.js';

/** Returns how many steps there were to do. */
export async function prepareCluster(dataSource: DataSource, options: StepOptions): Promise<number> {
  const { dryRun = false } = options;
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} = ${value}`);
  return inTransaction(dataSource, { settings, dryRun }, async (client) => {
    await check(dataSource, client);
    if (!dryRun) await client.query(takeLock('MIGRATION'));
    return takeSteps(async (text) => (await client.query<{ is_needed: boolean }>(text)).rows, options);
  });
}

async function check(dataSource: DataSource, client: ClientBase): Promise<void> {
  const obstacles = await findObstacles(client);
  if (obstacles.length === 0 && (await dataSource.showMigrations())) {
    obstacles.push('The database is not up to date. Run "npx tank-monitoring migrate" first.');
  }
  if (obstacles.length > 0) {
    throw new Error(`This database cannot be made a distributed one:\n  ${obstacles.join('\n  ')}`);
  }
}
