// Brings a database up to date: migrations and functions, in one transaction. Safe from several machines at once: one works, the
// others wait and find nothing to do.
import { MigrationExecutor, type DataSource } from 'typeorm';
import { IS_CLUSTER } from '../schema/is-cluster.js';
import { installFunctions } from '../schema/functions.js';
import { SETTINGS } from './transaction.js';

/** Any number will do, as long as everyone who migrates this schema takes the same. */
export const MIGRATION_LOCK = 5_061_703;

export interface Migrated {
  readonly migrations: string[];
  /** Installed or dropped. */
  readonly functions: string[];
}

export async function migrate(dataSource: DataSource): Promise<Migrated> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    for (const setting of SETTINGS) await runner.query(`set local ${setting}`);
    // One of the transaction: a pooler that gives each transaction another session would leave one of a session behind.
    await runner.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none'; // the one that is open
    const ran = await executor.executePendingMigrations();
    const [{ is_cluster: isCluster }] = await runner.query(IS_CLUSTER);
    const functions = await installFunctions(runner, isCluster ? 'cluster' : 'one machine');
    await runner.commitTransaction();
    return { migrations: ran.map(({ name }) => name), functions };
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}
