// A connection of one's own, and a transaction on it, for the operator's long work.
import { Client, type ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { listenForLoss } from './pool.js';

interface TransactionOptions {
  /** As after BEGIN. */
  readonly mode?: string;
  /** `name = value`, for this transaction only. */
  readonly settings?: readonly string[];
  /** Ends with a rollback, whatever was done. */
  readonly dryRun?: boolean;
}

/** A server's bounds are for requests; an operator's work takes as long as it takes, and may wait for a slow pipe. */
export const UNBOUNDED = [
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  `work_mem = '64MB'`,
  'jit = off', // compiling costs more than it saves in statements that mostly write
];

export async function inTransaction<T>(
  dataSource: DataSource,
  { mode = '', settings = [], dryRun = false }: TransactionOptions,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  return withConnection(dataSource, async (client) => {
    await client.query(`begin ${mode}`);
    for (const setting of [...UNBOUNDED, ...settings]) await client.query(`set local ${setting}`);
    const result = await work(client);
    await client.query(dryRun ? 'rollback' : 'commit');
    return result;
  });
}

/** One on which anything failed is closed, which undoes what it had begun. */
export async function withConnection<T>(
  dataSource: DataSource,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const client: unknown = await runner.connect();
  if (!(client instanceof Client)) throw new Error('The data source is not a PostgreSQL one.');
  listenForLoss(client);
  try {
    return await work(client);
  } catch (error) {
    void client.end(); // not waited for: a server that is out of reach never answers
    throw error;
  } finally {
    await runner.release();
  }
}
