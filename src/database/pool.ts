// The pg pool inside TypeORM's data source, and the one way to take a connection from a pool. A connection that breaks says
// so with an `error` event, to whoever has it; one that nobody listens to would end the process.
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailable } from './failures.js';

/** Of the server that may be written to. */
export const PRIMARY_POOL = Symbol('connections to the primary');

/** TypeORM's own pool, which its PostgresDriver declares: its query() cannot name a statement, the pool's can. */
export function poolOf(dataSource: DataSource): Pool {
  const driver: object & { master?: Pool } = dataSource.driver;
  if (driver.master === undefined) throw new Error('The data source is not an initialized PostgreSQL one.');
  return driver.master;
}

/** Gives the connection back; after a failure it is closed instead. */
export type Release = (failure?: Error | boolean) => void;

/** With callbacks, for reads: promises cost a small one about as much as its row does. Everybody else uses `withClient`. */
export function takeClient(
  pool: Pool,
  taken: (client: PoolClient, release: Release) => void,
  failed: (noConnection: DatabaseUnavailable) => void,
): void {
  pool.connect((noConnection, client, release) => {
    if (client === undefined) return failed(new DatabaseUnavailable(noConnection));
    listenForLoss(client);
    taken(client, release);
  });
}

/** Runs `work` on a connection of its own. One on which anything failed is closed, which undoes what it had begun. */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await new Promise<PoolClient>((taken, failed) => takeClient(pool, taken, failed));
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** For as long as it lives, taken or not. Whatever it was busy with fails by itself: that is where the loss is told. */
function listenForLoss(client: PoolClient): void {
  if (client.listenerCount('error', ignore) === 0) client.on('error', ignore);
}

function ignore(): void {}
