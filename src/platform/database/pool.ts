// Pools of connections, and the one way to take one of them, also of TypeORM's pool.
import { Pool, type ClientBase, type PoolClient, type PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailable } from './failures.js';

/** Of the server that may be written to; its sessions read, unless they say otherwise. */
export const PRIMARY_POOL = Symbol('connections to the primary');
/** The pool of the background work that has to be quick, such as judging and deliveries; its sessions write. */
export const WORKER_POOL = Symbol('connections of the quick background work');
/** The pool of the background work that may take long, such as forecasts and the removal of old rows: quick work never waits for it. */
export const LONG_WORK_POOL = Symbol('connections of the long background work');
/** Of what a broker sends. */
export const MQTT_POOL = Symbol('connections for messages of MQTT');

/** Connects when there is something to do. */
export function openPool(options: PoolConfig): Pool {
  const pool = new Pool(options);
  pool.on('error', ignore); // an idle connection that broke is replaced by the next
  return pool;
}

type Connects = Pick<Pool, 'connect'>;

/** Gives the connection back; after a failure it is closed instead. */
export type Release = (failure?: Error | boolean) => void;

/** With callbacks, for reads: promises cost a small one about as much as its row does. Everybody else uses `withClient`. */
export function takeClient(
  pool: Connects,
  taken: (client: PoolClient, release: Release) => void,
  failed: (noConnection: DatabaseUnavailable) => void,
): void {
  pool.connect((noConnection, client, release) => {
    if (client === undefined) failed(new DatabaseUnavailable(noConnection));
    else taken(client, release);
  });
}

/** Runs `work` on a connection of its own. One on which anything failed is closed, which undoes what it had begun. */
export async function withClient<T>(pool: Connects, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new DatabaseUnavailable(error);
  });
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
  end = 'commit',
): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query(begin);
    const result = await work(client);
    await client.query(end);
    return result;
  });
}

/** The connections of a data source that is open. */
export function findPool(dataSource: DataSource): Pool {
  const pool: unknown = 'master' in dataSource.driver ? dataSource.driver.master : undefined;
  if (!(pool instanceof Pool)) throw new Error('The data source is not a PostgreSQL one.');
  return pool;
}

/** A server's bounds are for requests; an operator's work takes as long as it takes, and may wait for a slow pipe. */
export const UNBOUNDED = [
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  `work_mem = '64MB'`,
  'jit = off', // compiling costs more than it saves in statements that mostly write
];

interface OperatorsTransaction {
  /** As after BEGIN. */
  readonly mode?: string;
  /** `name = value`, for this transaction only. */
  readonly settings?: readonly string[];
  /** Ends with a rollback, whatever was done. */
  readonly dryRun?: boolean;
}

export function inTransaction<T>(
  dataSource: DataSource,
  { mode = '', settings = [], dryRun = false }: OperatorsTransaction,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const bounds = [...UNBOUNDED, ...settings].map((setting) => `set local ${setting}`);
  const begin = [`begin ${mode}`, ...bounds].join('; ');
  return withTransaction(findPool(dataSource), work, begin, dryRun ? 'rollback' : 'commit');
}

/**
 * A connection that breaks says so with an `error` event; one that nobody listens to would end the process. So it is listened to for as
 * long as it lives: whoever takes one hears of it too late when it broke with the answer to the one before. What it was busy with fails by itself.
 */
export function listenForLoss(client: ClientBase): void {
  client.on('error', ignore);
}

function ignore(): void {}
