// The real PostgreSQL that npm brings along, for `npm start` without DATABASE_URL, for the command line and
// for tests.
//
// Several processes may use one directory at once. Each holds a lease, a connection that ends with the
// process however that ends, and whoever lets go last stops the server. Opening and releasing exclude each
// other across processes, so none can stop the server while another is about to use it.
import { access } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { type Home, prepareDirectory, settle } from './home.js';
import { LEASE_NAME, serverUrl, WATCHER_NAME } from './leases.js';
import { findServer, initialise, runningServer, startServer, stopServer } from './server.js';
import { startWatcher } from './start-watcher.js';
import { errorCode, withProcessLock } from './process-lock.js';

export interface EmbeddedDatabase {
  /** For `pg`; the database in it exists. */
  url: string;
  /** Where data, password and log really are, which is not always the directory asked for. */
  directory: string;
  /** Lets go of the server and, with nobody else connected, stops it. Close your own connections first. */
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  directory: string;
  /** `tank_monitoring` unless named. */
  database?: string;
  /** false gives up on surviving a power cut, for tests. */
  durable?: boolean;
  /** Server settings; they have no effect on a server that already runs. */
  settings?: Record<string, string>;
}

interface Cluster {
  home: Home;
  lock: string;
  url: (port: number, database: string) => string;
  settings: Record<string, string>;
}

interface Lease {
  client: Client;
  socket: Socket;
  port: number;
  /** The server's process that serves the lease. */
  backend: number;
}

/** Names that mean the same in a URL, whoever parses it, as in SQL. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** How long a client that is not a lease may take to be gone, its own pool's last connections above all. */
const FAREWELL_MS = 1_000;
const POLL_MS = 10;

const LEASE_ATTEMPTS = 20;
const RENEWALS = 60;
const RENEW_EVERY_MS = 250;
const WRONG_PASSWORD = '28P01';

const FIXED_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
/** Still safe when the server is killed, only not when the machine is. */
const FORGETFUL_SETTINGS = { fsync: 'off', full_page_writes: 'off' };

export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { database = 'tank_monitoring', durable = true, settings = {} } = options;
  if (!PLAIN_NAME.test(database)) {
    throw new Error(
      `The database name ${JSON.stringify(database)} is not made of up to 63 letters, digits and _.`,
    );
  }
  const wanted = await prepareDirectory(options.directory);
  const lock = join(wanted, 'lock');

  return withProcessLock(lock, async () => {
    const home = await settle(wanted);
    const password = await initialise(home, durable);
    const cluster: Cluster = {
      home,
      lock,
      url: (port, name) => serverUrl(password, port, name),
      settings: { ...(durable ? {} : FORGETFUL_SETTINGS), ...settings, ...FIXED_SETTINGS },
    };
    let lease = await takeLease(cluster);
    try {
      await createDatabase(lease.client, database);
    } catch (error) {
      await letGo(cluster, lease);
      throw error;
    }
    let released: Promise<void> | undefined;
    const hold = (held: Lease): void => {
      lease = held;
      // Holding a lease is no reason for a process to go on; ending it properly is.
      lease.socket.unref();
      lease.client.once('end', () => void renew());
    };
    // A server that restarts after a crash of one of its processes has lost all connections, and we still need it.
    const renew = async (): Promise<void> => {
      for (let attempt = 1; attempt <= RENEWALS; attempt++) {
        if (released !== undefined) return;
        await sleep(RENEW_EVERY_MS, undefined, { ref: false });
        const renewed = await leaseAgain(cluster, lease.port).catch(() => undefined);
        if (renewed === undefined) continue;
        if (released === undefined) return hold(renewed);
        return renewed.client.end();
      }
    };
    const releaseOnce = async (): Promise<void> => {
      lease.socket.ref();
      const isThere = await access(wanted).then(
        () => true,
        () => false,
      );
      // A server whose folder was deleted under it finds out within a minute and ends by itself.
      return isThere ? withProcessLock(lock, () => letGo(cluster, lease)) : lease.client.end();
    };
    const release = (): Promise<void> => (released ??= releaseOnce());
    hold(lease);
    return { url: cluster.url(lease.port, database), directory: home.directory, release };
  });
}

/** Takes a lease on the server that runs, or on one started for it. */
async function takeLease(cluster: Cluster): Promise<Lease> {
  for (let attempt = 1; ; attempt++) {
    const found = await findServer(cluster.home);
    const port =
      found ??
      (await startServer(cluster.home, cluster.settings, (pid) => startWatcher({ ...cluster, pid })));
    try {
      return await leaseAt(cluster, port);
    } catch (cause) {
      // One that was found may have been on its way out, killed or told to stop: then we start the next.
      if (found !== undefined && attempt < LEASE_ATTEMPTS && errorCode(cause) !== WRONG_PASSWORD) {
        await sleep(POLL_MS * attempt);
        continue;
      }
      throw new Error(`The embedded PostgreSQL in ${cluster.home.directory} refuses us: ${String(cause)}.`, {
        cause,
      });
    }
  }
}

/** Held on the maintenance database, so that the caller may drop and copy its own. */
async function leaseAt(cluster: Cluster, port: number): Promise<Lease> {
  const socket = new Socket();
  const client = new Client({
    connectionString: cluster.url(port, 'postgres'),
    application_name: LEASE_NAME,
    stream: () => socket,
  });
  // The server may be killed under us. Whoever uses the database learns of it there; the lease is void.
  client.on('error', () => undefined);
  await client.connect();
  const answer = await client.query<{ backend: number }>('SELECT pg_backend_pid() AS backend');
  return { client, socket, port, backend: answer.rows[0]?.backend ?? 0 };
}

/** On the server it was on; the next one has another port, of which our caller knows nothing. */
async function leaseAgain(cluster: Cluster, port: number): Promise<Lease | undefined> {
  const server = await runningServer(cluster.home);
  return server?.port === port && server.status === 'ready' ? leaseAt(cluster, port) : undefined;
}

async function createDatabase(client: Client, name: string): Promise<void> {
  const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found.rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
}

async function letGo({ home, url }: Cluster, lease: Lease): Promise<void> {
  await lease.client.end();
  try {
    // Asked again: the server may have died since, and the next one, started by another, has another port.
    const port = await findServer(home);
    if (port === undefined || (await isUsedByOthers(url(port, 'postgres'), lease.backend))) return;
    await stopServer(home);
  } catch (error) {
    // A server that is being killed under us refuses to answer for a moment before it is seen to be gone.
    await sleep(FAREWELL_MS);
    if ((await findServer(home)) !== undefined) throw error;
  }
}

async function isUsedByOthers(url: string, own: number): Promise<boolean> {
  const asker = new Client({ connectionString: url });
  asker.on('error', () => undefined);
  await asker.connect();
  try {
    const deadline = Date.now() + FAREWELL_MS;
    for (;;) {
      const { rows } = await asker.query<{ name: string }>(
        `SELECT application_name AS name FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND pid NOT IN (pg_backend_pid(), $1)
            AND application_name <> $2`,
        [own, WATCHER_NAME],
      );
      if (rows.length === 0) return false;
      if (rows.some(({ name }) => name === LEASE_NAME) || Date.now() > deadline) return true;
      await sleep(POLL_MS);
    }
  } finally {
    await asker.end();
  }
}
