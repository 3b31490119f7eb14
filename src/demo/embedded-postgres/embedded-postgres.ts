// The real PostgreSQL that npm brings along, for `npm start` without DATABASE_URL, for the command line and for tests.
//
// Several processes may use one directory at once. Each holds a lease (leases.ts), and the last one stops the server.
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { chooseHome, prepareDirectory, type Home } from './home.js';
import { LEASE_NAME, RETURN_LEASE, serverUrl, stopIfUnused, TAKE_LEASE } from './leases.js';
import { findServer, initialise, startServer } from './server.js';
import { errorCode, withProcessLock } from './process-lock.js';

export interface EmbeddedDatabase {
  /** For `pg`; the database in it exists. */
  url: string;
  /** Where data, password and log really are, which is not always the directory asked for. */
  directory: string;
  /** Stops the server when nobody else uses it. Close your own connections first. */
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  directory: string;
  /** `tank_monitoring` unless named. */
  database?: string;
  /** false: data may be lost in a power cut; for tests. */
  durable?: boolean;
  /** Server settings; they have no effect on a server that already runs. */
  settings?: Record<string, string>;
}

type Lease = Readonly<{ client: Client; socket: Socket }>;

/** Names that need no quoting in a URL or in SQL. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

const LEASE_ATTEMPTS = 20;
const RETRY_MS = 10;
const RENEWALS = 60;
const RENEW_EVERY_MS = 250;
const WRONG_PASSWORD = '28P01'; // SQLSTATE

const FIXED_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
/** Still safe when the server is killed, only not when the machine is. */
const NOT_DURABLE_SETTINGS = { fsync: 'off', full_page_writes: 'off' };

export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { database = 'tank_monitoring', durable = true } = options;
  if (!PLAIN_NAME.test(database)) {
    throw new Error(
      `The database name ${JSON.stringify(database)} is not made of up to 63 letters, digits and _.`,
    );
  }
  const settings = { ...(durable ? {} : NOT_DURABLE_SETTINGS), ...options.settings, ...FIXED_SETTINGS };
  const wanted = await prepareDirectory(options.directory);

  return withProcessLock(join(wanted, 'lock'), async () => {
    const home = await chooseHome(wanted);
    const password = await initialise(home, durable);
    const { port, lease } = await openServer(home, password, settings);
    try {
      const found = await lease.client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
      if (found.rowCount === 0) await lease.client.query(`CREATE DATABASE ${escapeIdentifier(database)}`);
    } catch (error) {
      await releaseLease(home, lease);
      throw error;
    }
    const release = keepLease(home, lease, () => takeLease(serverUrl(password, port)));
    return { url: serverUrl(password, port, database), directory: home.directory, release };
  });
}

/** Takes a lease on the server that runs, or on one started for it. */
async function openServer(
  home: Home,
  password: string,
  settings: Record<string, string>,
): Promise<{ port: number; lease: Lease }> {
  for (let attempt = 1; ; attempt++) {
    const port = (await findServer(home)) ?? (await startServer(home, settings));
    try {
      return { port, lease: await takeLease(serverUrl(password, port)) };
    } catch (cause) {
      // It may have been stopped or killed meanwhile: then the next one is started.
      if (attempt < LEASE_ATTEMPTS && errorCode(cause) !== WRONG_PASSWORD) {
        await sleep(RETRY_MS * attempt);
        continue;
      }
      throw new Error(
        `The embedded PostgreSQL in ${home.directory} refuses the connection: ${String(cause)}.`,
        {
          cause,
        },
      );
    }
  }
}

async function takeLease(url: string): Promise<Lease> {
  const socket = new Socket();
  const client = new Client({ connectionString: url, application_name: LEASE_NAME, stream: () => socket });
  client.on('error', () => undefined); // other connections report that the server is gone
  await client.connect();
  await client.query(TAKE_LEASE);
  return { client, socket };
}

/** Renews the lease when it is lost; returns how to release it. */
function keepLease(home: Home, first: Lease, takeAgain: () => Promise<Lease>): () => Promise<void> {
  let lease = first;
  let released: Promise<void> | undefined;
  const watch = (): void => {
    lease.socket.unref(); // a lease does not keep the process running
    lease.client.once('end', () => void renew());
  };
  // A server that restarts after a crash of one of its processes has lost all connections, and is still needed.
  const renew = async (): Promise<void> => {
    for (let attempt = 1; attempt <= RENEWALS; attempt++) {
      await sleep(RENEW_EVERY_MS, undefined, { ref: false });
      if (released !== undefined) return;
      const renewed = await takeAgain().catch(() => undefined);
      if (renewed === undefined) continue;
      if (released !== undefined) return renewed.client.end();
      lease = renewed;
      return watch();
    }
  };
  watch();
  return () => (released ??= releaseLease(home, lease));
}

async function releaseLease(home: Home, { client, socket }: Lease): Promise<void> {
  socket.ref();
  try {
    await client.query(RETURN_LEASE);
    await stopIfUnused(client, home);
  } catch {
    // The connection is lost: the server is gone, or its watcher stops it.
  }
  await client.end();
}
