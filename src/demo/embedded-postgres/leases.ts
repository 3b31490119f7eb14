// A process that needs the embedded PostgreSQL holds a lease: a shared advisory lock, which ends with its connection. Whoever stops
// the server holds the lock alone, so that nobody can take a lease on a server that is about to stop.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Home } from './home.js';
import { stopServer, SUPERUSER } from './server.js';

export const LEASE_NAME = 'tank-monitoring lease';
export const WATCHER_NAME = 'tank-monitoring watcher';

const LOCK = `hashtextextended('tank-monitoring lease', 0)`;
export const TAKE_LEASE = `SELECT pg_advisory_lock_shared(${LOCK})`;
export const RETURN_LEASE = `SELECT pg_advisory_unlock_shared(${LOCK})`;
const TAKE_ALONE = `SELECT pg_try_advisory_lock(${LOCK}) AS is_taken`;
const RETURN_ALONE = `SELECT pg_advisory_unlock(${LOCK})`;

/** Clients other than ours, psql for example. A statement that one of ours has left behind does not count. */
const COUNT_OTHERS = `
  SELECT count(*)::integer AS n FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name NOT LIKE 'tank-monitoring%'`;

/** How long a connection that was closed a moment ago may still be counted. */
const CLOSING_MS = 1_000;
const POLL_MS = 10;

/** Leases and advisory locks are of this database, so that the caller may drop and copy its own. */
export function serverUrl(password: string, port: number, database = 'postgres'): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/** Returns whether the server was stopped. */
export async function stopIfUnused(client: Client, home: Home): Promise<boolean> {
  const { rows } = await client.query<{ is_taken: boolean }>(TAKE_ALONE);
  if (rows[0]?.is_taken !== true) return false;
  if (await hasOthers(client)) {
    await client.query(RETURN_ALONE);
    return false;
  }
  await stopServer(home);
  return true;
}

async function hasOthers(client: Client): Promise<boolean> {
  for (const deadline = Date.now() + CLOSING_MS; ; await sleep(POLL_MS)) {
    const { rows } = await client.query<{ n: number }>(COUNT_OTHERS);
    if (rows[0]?.n === 0) return false;
    if (Date.now() > deadline) return true;
  }
}
