// Brings a database up to date: migrations and functions, in one transaction. Safe from several machines at once: one works, the
// others wait and find nothing to do.
import { setTimeout as wait } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { IS_CLUSTER, takeSteps } from '../cluster/steps.js';
import { sqlFiles } from '../schema/sql-files.js';
import { findCode, isDeadlock, isDenied, describeFailure } from './failures.js';
import { dropRetired, installFunctions } from './functions.js';
import { UNBOUNDED } from './pool.js';
import { ForeignSchema, takeOver } from './origin.js';
import { takeLock } from '../schema/locks.js';

export interface Migrated {
  readonly migrations: string[];
  /** Installed or retired. */
  readonly functions: string[];
  /** What there was to do for functions that a cluster has on every node. */
  readonly steps: string[];
}

const MAX_TRIES = 10;

/** Instances serve meanwhile. `onRetry` is told, as a sentence, that they were in the way. */
export async function migrate(
  dataSource: DataSource,
  files = sqlFiles(),
  onRetry: (sentence: string) => void = () => undefined,
): Promise<Migrated> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryToMigrate(dataSource, files);
    } catch (error) {
      if (!isInUse(error)) throw error;
      if (tries === MAX_TRIES) throw new Error(IN_USE, { cause: error });
      onRetry(`The tables are in use; nothing has changed yet. Trying again (${tries + 1} of ${MAX_TRIES}).`);
      await wait(tries * 300);
    }
  }
}

const IN_USE =
  'The tables were in use, ten times; nothing has changed. Run migrate again when no import, backup or other long transaction runs on this database.';
const isInUse = (error: unknown): boolean => findCode(error) === '55P03' || isDeadlock(error);

async function tryToMigrate(dataSource: DataSource, files: ReturnType<typeof sqlFiles>): Promise<Migrated> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    for (const setting of UNBOUNDED) await runner.query(`set local ${setting}`);
    // One of the transaction: a pooler that gives each transaction another session would leave one of a session behind.
    await runner.query(takeLock('MIGRATION'));
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none'; // the one that is open
    const migrated = await bringUpToDate(executor, runner, files).catch((error: unknown) => {
      throw isOfSchema(error) ? new ForeignSchema(describeFailure(error)) : error;
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
  if ((await executor.getPendingMigrations()).length > 0) await lockTables(runner);
  ran.push(...(await executor.executePendingMigrations()).map(({ name }) => name));
  if (ran.length > 0) await dropRetired(runner);
  const [{ is_cluster: isCluster }] = await runner.query(IS_CLUSTER);
  const functions = await installFunctions(runner, isCluster ? 'cluster' : 'one machine', files);
  const steps: string[] = [];
  if (isCluster) await takeSteps((text) => runner.query(text), { onStep: ({ title }) => steps.push(title) });
  return { migrations: ran, functions, steps };
}

/**
 * What migrations change, before they change anything: one that took a lock now and then would wait for writers that wait for it. In the
 * order of the writers, and not for as long as PostgreSQL takes to end one of them for a deadlock, which is a second.
 */
async function lockTables(runner: QueryRunner): Promise<void> {
  const [{ tables }] = await runner.query(
    `
    select string_agg(oid::regclass::text, ', ' order by array_position($1::name[], relname), relname) as tables
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('migrations', 'installed_functions') and pg_has_role(relowner, 'usage')`,
    [WRITERS_ORDER],
  );
  if (tables === null) return;
  await runner.query("set local lock_timeout = '800ms'");
  await runner.query(`lock table ${tables} in access exclusive mode`);
  await runner.query('set local lock_timeout = 0');
}

/** The others follow: what triggers and the background work write. */
const WRITERS_ORDER = [
  'tanks',
  'customers',
  'sensor_profiles',
  'tank_sensors',
  'telemetry',
  'telemetry_counts',
  'tank_states',
];

/** SQLSTATEs of class 42: something is not there, is there already, or is of another kind; rights are in it, too. */
const isOfSchema = (error: unknown): boolean => findCode(error).startsWith('42') && !isDenied(error);
