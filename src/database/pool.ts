// The pg pool inside TypeORM's data source.
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** TypeORM's own pool: its query() cannot name a statement, the pool's can. */
export function poolOf(dataSource: DataSource): Pool {
  const driver: object & { master?: Pool } = dataSource.driver;
  if (driver.master === undefined) throw new Error('The data source is not an initialized PostgreSQL one.');
  return driver.master;
}
