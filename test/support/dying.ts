// A database whose connections break at the statement with this number, as when the process is killed.
import type { Pool, PoolClient } from 'pg';

export function dying(
  sql: Pool,
  after: number,
): { database: Pick<Pool, 'connect' | 'query'>; hasDied: () => boolean } {
  let left = after;
  let died = false;
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
        release: (isBroken?: boolean) => client.release(isBroken),
      });
    },
  } as unknown as Pick<Pool, 'connect' | 'query'>;
  return { database, hasDied: () => died };
}
