// Makes a migrated database on a Citus coordinator a distributed one. One transaction, so all of it or nothing; a second run finds
// nothing to do, unless a migration has brought functions whose other form a cluster needs.
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { MIGRATION_LOCK } from '../database/migrate.js';
import { inTransaction } from '../database/transaction.js';
import { findObstacles } from './checks.js';
import { SETTINGS, steps, type Step } from './steps.js';

export interface PreparationOptions {
  /** Called with each step before it is done; with `dryRun`, instead. */
  readonly onStep: (step: Step) => void;
  readonly dryRun?: boolean;
}

/** Returns how many steps there were to do. */
export async function prepareCluster(
  dataSource: DataSource,
  { onStep, dryRun = false }: PreparationOptions,
): Promise<number> {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} = ${value}`);
  return inTransaction(dataSource, { settings, dryRun }, async (client) => {
    await check(dataSource, client);
    if (!dryRun) await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    let taken = 0;
    for (const step of steps()) {
      const { rows } = await client.query<{ is_needed: boolean }>(`select ${step.isNeeded} as is_needed`);
      if (rows[0]?.is_needed !== true) continue;
      taken += 1;
      onStep(step);
      if (!dryRun) for (const statement of step.statements) await client.query(statement);
    }
    return taken;
  });
}

async function check(dataSource: DataSource, client: ClientBase): Promise<void> {
  const obstacles = await findObstacles(client);
  if (obstacles.length === 0 && (await isBehind(dataSource, client))) {
    obstacles.push('The database is not up to date. Run "npx tank-monitoring migrate" first.');
  }
  if (obstacles.length > 0) {
    throw new Error(`This database cannot be made a distributed one:\n  ${obstacles.join('\n  ')}`);
  }
}

async function isBehind(dataSource: DataSource, client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  const ran = new Set(rows.map(({ name }) => name));
  return dataSource.migrations.some(({ name = '' }) => !ran.has(name));
}
