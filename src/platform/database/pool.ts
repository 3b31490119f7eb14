// Pools of connections, and the one way to take one of them (TypeORM's are taken in operator-transaction.ts). A connection that breaks says
// so with an `error` event, to whoever has it; one that nobody listens to would end the process.
import { Pool, type ClientBase, type PoolClient, type PoolConfig } from 'pg';
import { DatabaseUnavailable } from './failures.js';

/** Of the server that may be written to; its sessions read, unless they say otherwise. */
export const PRIMARY_POOL = Symbol('connections to the primary');
/** Of the background work, whose sessions write. */
export const WORKER_POOL = Symbol('connections of the background work');

/** Of what a broker sends. */
export const MQTT_POOL = Symbol('connections for messages of MQTT');

/** Connects when there is something to do. */
export function openPool(options: PoolConfig): Pool {
  const pool = new Pool(options);
  pool.on('error', ignore); // an idle connection that broke is replaced by the next
  return pool;
}

/** Gives the connection back; after a failure it is closed instead. */
export type Release = (failure?: Error | boolean) => void;

/** With callbacks, for reads: promises cost a small one about as much as its row does. Everybody else uses `withClient`. */
export function takeClient(
  pool: Pick<Pool, 'connect'>,
  taken: (client: PoolClient, release: Release) => void,
  failed: (noConnection: DatabaseUnavailable) => void,
): void {
  pool.connect((noConnection, client, release) => {
    if (client === undefined) return failed(new DatabaseUnavailable(noConnection));
    listenForLoss(client);
    taken(client, release);
  });
}

type Connects = Pick<Pool, 'connect'>;

/** Runs `work` on a connection of its own. One on which anything failed is closed, which undoes what it had begun. */
export async function withClient<T>(pool: Connects, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new DatabaseUnavailable(error);
  });
  listenForLoss(client);
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

export function withTransaction<T>(
  pool: Connects,
  work: (client: PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  });
}

/** For as long as it lives, taken or not. What it was busy with fails by itself. */
export function listenForLoss(client: ClientBase): void {
  if (client.listenerCount('error', ignore) === 0) client.on('error', ignore);
}

function ignore(): void {}
