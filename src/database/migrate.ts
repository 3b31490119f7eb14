// Brings a database up to date. Safe from several machines at once: one works, the others wait and find nothing to do.
import type { DataSource } from 'typeorm';
import { inTransaction } from './transaction.js';

/** Any number will do, as long as everyone who migrates this schema takes the same. */
export const MIGRATION_LOCK = 5_061_703;

/**
 * Returns the names of the migrations that ran. The lock is one of a transaction that stays open meanwhile: one of a session
 * would be left behind at a pooler that gives each transaction another session.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  return inTransaction(dataSource, {}, async (guard) => {
    await guard.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations();
    return ran.map(({ name }) => name);
  });
}
