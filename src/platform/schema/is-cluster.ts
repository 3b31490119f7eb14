// Whether this database was made a distributed one.
import type { Pool } from 'pg';

/** `cluster prepare` makes this table with all the rest, in one transaction. */
export const IS_CLUSTER = `select to_regclass('tank_keys') is not null as is_cluster`;

export async function isCluster(database: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await database.query<{ is_cluster: boolean }>(IS_CLUSTER);
  return rows[0]?.is_cluster === true;
}
