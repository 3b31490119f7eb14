// The real PostgreSQL that npm brings along, for `npm start` without DATABASE_URL, for the command line and for tests. A directory is used by
// one process at a time: the server ends with it, however it ends, and a second process is told so.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { chooseHome, prepareDirectory } from './home.js';
import { initialise, startServer, SUPERUSER } from './server.js';
import { inProject } from '../../platform/config/project.js';

export interface EmbeddedDatabase {
  /** For `pg`; the database in it exists. */
  url: string;
  /** Where data, password and log really are, which is not always the directory asked for. */
  directory: string;
  /** Stops the server. */
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  directory: string;
  /** `tank_monitoring` unless named; of small letters, digits and _, which need no quotes. */
  database?: string;
  /** false: data may be lost in a power cut; for tests. */
  durable?: boolean;
  /** Server settings. */
  settings?: Record<string, string>;
}

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
  const home = await chooseHome(await prepareDirectory(options.directory));
  const password = await initialise(home, durable);
  const settings = { ...(durable ? {} : NOT_DURABLE_SETTINGS), ...options.settings, ...FIXED_SETTINGS };
  const { port, stop } = await startServer(home, settings);
  const urlOf = (name: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${name}`;
  try {
    await createDatabase(urlOf('postgres'), database);
    // For a second process, which is told to use it.
    await writeFile(join(home.directory, 'url'), urlOf(database), { mode: 0o600 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urlOf(database), directory: home.directory, release: stop };
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}

/** Of this clone: under a folder of the project that git ignores. */
export function openDemoDatabase(): Promise<EmbeddedDatabase> {
  return openEmbeddedPostgres({ directory: inProject('.data/postgres') });
}
