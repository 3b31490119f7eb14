// One transaction on a connection of its own, for the operator's long work.
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf, withClient } from './pool.js';

export interface TransactionOptions {
  /** As after BEGIN. */
  readonly mode?: string;
  /** `name = value`, for this transaction only. */
  readonly settings?: readonly string[];
  /** Ends with a rollback, whatever was done. */
  readonly dryRun?: boolean;
}

/** A server's bounds are for requests; an operator's work takes as long as it takes, and may wait for a slow pipe. */
const SETTINGS = [
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  `work_mem = '64MB'`,
  'jit = off', // compiling costs more than it saves in statements that mostly write
];

export async function inTransaction<T>(
  dataSource: DataSource,
  { mode = '', settings = [], dryRun = false }: TransactionOptions,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return withClient(poolOf(dataSource), async (client) => {
    await client.query(`begin ${mode}`);
    for (const setting of [...SETTINGS, ...settings]) await client.query(`set local ${setting}`);
    const result = await work(client);
    await client.query(dryRun ? 'rollback' : 'commit');
    return result;
  });
}
