// Whether this database was made a distributed one: the few who write readings in several statements ask.
import type { Pool } from 'pg';

/** The preparation makes this function with all the rest, in one transaction. */
export async function isCluster(database: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await database.query<{ is_cluster: boolean }>(
    `select to_regprocedure('hold_tanks(bigint[])') is not null as is_cluster`,
  );
  return rows[0]?.is_cluster === true;
}
