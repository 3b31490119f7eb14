// The PostgreSQL server to measure on, and the databases made there: only our own, which are marked as ours.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client, escapeLiteral } from 'pg';
import { openEmbeddedPostgres } from '../build/demo/embedded-postgres/embedded-postgres.js';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';

const DIRECTORY = fileURLToPath(new URL('../.data/bench/postgres', import.meta.url));
const MARK = 'tank benchmark: ';

/** Enough memory for the data to be read from, whoever asks; a benchmark's data need not survive a power cut. */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  maintenance_work_mem: '256MB',
  max_connections: '100',
};

export async function openServer({ database, keep }) {
  if (database !== undefined) return { urlOf: (name) => withDatabase(database, name) };
  const holdsKeptData = existsSync(DIRECTORY);
  const embedded = await openEmbeddedPostgres({
    directory: DIRECTORY,
    database: 'postgres',
    durable: false,
    settings: SETTINGS,
  });
  defer(async () => {
    await embedded.release();
    if (keep || holdsKeptData) return;
    await rm(embedded.directory, { recursive: true, force: true });
    await rm(DIRECTORY, { recursive: true, force: true });
  });
  return { urlOf: (name) => withDatabase(embedded.url, name) };
}

function withDatabase(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * A migrated database filled by `fill`. One that was kept is used again when it was filled with the same `content`.
 * @returns the database's URL and whether it was there already
 */
export async function openDatabase(server, name, { content, keep, fill }) {
  const admin = server.urlOf('postgres');
  const mark = MARK + JSON.stringify(content);
  const found = await query(
    admin,
    `select coalesce(shobj_description(oid, 'pg_database'), '') as mark from pg_database where datname = $1`,
    [name],
  );
  if (found.length > 0 && !found[0].mark.startsWith(MARK)) {
    throw new Error(`There is a database ${name} that this benchmark did not make; it is left alone.`);
  }
  const url = server.urlOf(name);
  const reused = found.length > 0 && found[0].mark === mark;
  let isComplete = reused;
  defer(async () => {
    if (!keep || !isComplete) await drop(admin, name);
  });
  if (!reused) {
    await drop(admin, name);
    await query(admin, `create database ${name}`);
    await query(admin, `comment on database ${name} is '${MARK}unfinished'`);
  }
  await runCli(['migrate'], url); // a kept one may be of an earlier version
  if (!reused) {
    await fill(url);
    await query(admin, `comment on database ${name} is ${escapeLiteral(mark)}`);
    isComplete = true;
  }
  return { url, reused };
}

function drop(admin, name) {
  return query(admin, `drop database if exists ${name} with (force)`);
}

export async function query(url, text, values = []) {
  return withClient(url, async (client) => (await client.query(text, values)).rows);
}

/** @template T @param {string} url @param {(client: Client) => Promise<T>} work @returns {Promise<T>} */
export async function withClient(url, work) {
  const client = new Client({ connectionString: url, application_name: 'tank-bench' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A server that was left behind by its client goes on computing for nobody: that is ended before anything else is measured. */
export async function endLeftovers(url) {
  await withClient(url, async (client) => {
    for (let attempt = 0; attempt < 600; attempt++) {
      const { rows } = await client.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()
           and backend_type = 'client backend' and state <> 'idle'`,
      );
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('The database is still busy a minute after the last request.');
  });
}
