// Brings a database up to date: migrations and functions, in one transaction. Safe from several machines at once: one works, the
// others wait and find nothing to do.
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { IS_CLUSTER } from '../schema/is-cluster.js';
import { installFunctions } from '../schema/functions.js';
import { codeOf, isDenied, reasonOf } from './failures.js';
import { SETTINGS } from './transaction.js';

/** Any number will do, as long as everyone who migrates this schema takes the same. */
export const MIGRATION_LOCK = 5_061_703;

export interface Migrated {
  readonly migrations: string[];
  /** Installed or dropped. */
  readonly functions: string[];
}

/** Neither this version nor one before it has made these tables. The message says the way out. */
export class ForeignSchema extends Error {
  constructor(reason: string) {
    super(
      `The released migrations did not make the tables of this database; an unreleased version did, or somebody changed them: ${reason}. ` +
        'Export with the version that made it, migrate an empty database, import there, and create keys anew (docs/upgrade.md).',
    );
  }
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
    await expectReleased(executor, dataSource);
    const migrated = await bringUpToDate(executor, runner).catch((error: unknown) => {
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

/** A later version has all migrations of this one, so an unknown one beside a pending one was never released. */
async function expectReleased(executor: MigrationExecutor, dataSource: DataSource): Promise<void> {
  const known = new Set(dataSource.migrations.map(({ name = '' }) => name));
  const executed = await executor.getExecutedMigrations();
  const unknown = executed.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0 && executed.length - unknown.length < known.size)
    throw new ForeignSchema(`this version does not know its migrations ${unknown.join(', ')}`);
}

async function bringUpToDate(executor: MigrationExecutor, runner: QueryRunner): Promise<Migrated> {
  const ran = await executor.executePendingMigrations();
  const [{ is_cluster: isCluster }] = await runner.query(IS_CLUSTER);
  const functions = await installFunctions(runner, isCluster ? 'cluster' : 'one machine');
  return { migrations: ran.map(({ name }) => name), functions };
}

/** SQLSTATEs of class 42: something is not there, is there already, or is of another kind; rights are in it, too. */
const isOfSchema = (error: unknown): boolean => codeOf(error).startsWith('42') && !isDenied(error);
