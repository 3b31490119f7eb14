// How those who use the embedded PostgreSQL are told from one another: by the names of their connections.
import type { Client } from 'pg';
import { SUPERUSER } from './server.js';

/** A lease: whoever holds one needs the server. */
export const LEASE_NAME = 'tank-monitoring lease';
/** The watcher needs it not. */
export const WATCHER_NAME = 'tank-monitoring watcher';

export function serverUrl(password: string, port: number, database = 'postgres'): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Those who need the server: leases, and strangers with a tool of their own. What a process of ours has left behind, a long
 * statement that nobody waits for say, does not count.
 */
export async function countUsers(client: Client): Promise<number> {
  const { rows } = await client.query<{ users: string }>(
    `SELECT count(*) AS users FROM pg_stat_activity
      WHERE backend_type = 'client backend'
        AND (application_name = $1 OR application_name NOT LIKE 'tank-monitoring%')`,
    [LEASE_NAME],
  );
  return Number(rows[0]?.users);
}
