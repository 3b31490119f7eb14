// Brings a database up to date: migrations and functions, in one transaction. Safe from several machines at once: one works, the
// others wait and find nothing to do.
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { takeSteps } from '../cluster/steps.js';
import { IS_CLUSTER } from '../schema/is-cluster.js';
import { sqlFiles } from '../schema/sql-files.js';
import { codeOf, isDenied, reasonOf } from './failures.js';
import { dropRetired, installFunctions } from './functions.js';
import { UNBOUNDED } from './operator-transaction.js';
import { ForeignSchema, takeOver } from './origin.js';

/** Any number will do, as long as everyone who migrates this schema takes the same. */
export const MIGRATION_LOCK = 5_061_703;

export interface Migrated {
  readonly migrations: string[];
  /** Installed or retired. */
  readonly functions: string[];
  /** What there was to do for functions that a cluster has on every node. */
  readonly steps: string[];
}

export async function migrate(dataSource: DataSource, files = sqlFiles()): Promise<Migrated> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    for (const setting of UNBOUNDED) await runner.query(`set local ${setting}`);
    // One of the transaction: a pooler that gives each transaction another session would leave one of a session behind.
    await runner.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none'; // the one that is open
    const migrated = await bringUpToDate(executor, runner, files).catch((error: unknown) => {
      throw isOfSchema(error) ? new ForeignSchema(reasonOf(error)) : error;
    });
    await runner.commitTransaction();
    return migrated;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

async function bringUpToDate(
  executor: MigrationExecutor,
  runner: QueryRunner,
  files: ReturnType<typeof sqlFiles>,
): Promise<Migrated> {
  const ran = await takeOver(executor, runner);
  ran.push(...(await executor.executePendingMigrations()).map(({ name }) => name));
  if (ran.length > 0) await dropRetired(runner);
  const [{ is_cluster: isCluster }] = await runner.query(IS_CLUSTER);
  const functions = await installFunctions(runner, isCluster ? 'cluster' : 'one machine', files);
  const steps: string[] = [];
  if (isCluster) await takeSteps((text) => runner.query(text), { onStep: ({ title }) => steps.push(title) });
  return { migrations: ran, functions, steps };
}

/** SQLSTATEs of class 42: something is not there, is there already, or is of another kind; rights are in it, too. */
const isOfSchema = (error: unknown): boolean => codeOf(error).startsWith('42') && !isDenied(error);
