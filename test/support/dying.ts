// A database whose connections break at the statement with this number, as when the process is killed.
import { once } from 'node:events';
import type { Pool, PoolClient } from 'pg';

export function dying(
  sql: Pool,
  after: number,
): { database: Pick<Pool, 'connect' | 'query'>; hasDied: () => Promise<boolean> } {
  let left = after;
  let died = false;
  const ended: Promise<unknown>[] = [];
  const count = (): void => {
    if (died || left === 0) {
      died = true;
      throw new Error('killed');
    }
    left -= 1;
  };
  const database = {
    query: async (...args: [string, unknown[]?]) => {
      count();
      return sql.query(...args);
    },
    connect: async () => {
      count();
      const client = await sql.connect();
      return Object.assign(Object.create(client) as PoolClient, {
        query: async (...args: [string, unknown[]?]) => {
          count();
          return client.query(...args);
        },
        release: (isBroken?: boolean) => {
          if (isBroken === true) ended.push(once(client, 'end'));
          client.release(isBroken);
        },
      });
    },
  } as unknown as Pick<Pool, 'connect' | 'query'>;
  // Until its sessions are over, the database holds their locks.
  return { database, hasDied: () => Promise.all(ended).then(() => died) };
}
