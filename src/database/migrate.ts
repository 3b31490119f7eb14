// Brings a database up to date. Safe from several machines at once: one works, the others wait and find nothing to do.
import type { DataSource } from 'typeorm';

/** Any number will do, as long as everyone who migrates this schema takes the same. */
const MIGRATION_LOCK = 5_061_703;

/** Returns the names of the migrations that ran. */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const guard = dataSource.createQueryRunner();
  try {
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations();
    return ran.map(({ name }) => name);
  } finally {
    await guard.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await guard.release();
  }
}
