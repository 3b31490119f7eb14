// What `npm start`, the command line and the tests themselves rely on when they use the embedded PostgreSQL.
import { afterAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  type EmbeddedDatabase,
  openEmbeddedPostgres,
} from '../../src/demo/embedded-postgres/embedded-postgres.js';
import { isAlive } from '../../src/demo/embedded-postgres/server.js';

const root = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
// As root the server runs as another user, who must be able to get here: mkdtemp makes folders for one user only.
await chmod(root, 0o711);
const opened: EmbeddedDatabase[] = [];

async function open(name: string, database?: string): Promise<EmbeddedDatabase> {
  const directory = join(root, name);
  const options = database === undefined ? { directory } : { directory, database };
  const embedded = await openEmbeddedPostgres({ ...options, durable: false });
  opened.push(embedded);
  return embedded;
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid({ directory }: EmbeddedDatabase): Promise<number> {
  return Number.parseInt(await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8'), 10);
}

afterAll(async () => {
  for (const embedded of opened) {
    await embedded.release();
    await rm(embedded.directory, { recursive: true, force: true });
  }
  await rm(root, { recursive: true, force: true });
});

describe('the embedded PostgreSQL', () => {
  it('serves an UTF-8 database in UTC that asks for a password, on loopback only', async () => {
    const embedded = await open('plain');

    const sql = `SELECT current_database() AS name, current_setting('server_encoding') AS encoding,
                        current_setting('TimeZone') AS zone, current_setting('listen_addresses') AS address,
                        current_setting('unix_socket_directories') AS sockets`;
    expect(await ask(embedded.url, sql)).toEqual([
      { name: 'tank_monitoring', encoding: 'UTF8', zone: 'UTC', address: '127.0.0.1', sockets: '' },
    ]);
    const wrong = new URL(embedded.url);
    wrong.password = 'wrong';
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(embedded.directory, 'password'))).mode & 0o777).toBe(0o600);
    await embedded.release();
  });

  it('is gone after the release, and has kept its data at the next start', async () => {
    const first = await open('plain');
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = await serverPid(first);
    await first.release();
    expect(isAlive(pid)).toBe(false);

    const second = await open('plain');
    expect(await ask(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.release();
  });

  it('is for one process at a time: of two that open it at once the other is told so, and how to use it all the same', async () => {
    const outcomes = await Promise.allSettled([open('contested'), open('contested')]);
    const [embedded] = opened.slice(-1);
    const refused = outcomes.filter(({ status }) => status === 'rejected');

    expect(refused).toHaveLength(1);
    const { message } = (refused[0] as PromiseRejectedResult).reason as Error;
    expect(message).toMatch(
      /^The embedded database in .* is in use: stop the process that uses it, or set DATABASE_URL="\$\(cat .*\/url\)"\.$/,
    );
    const [, file = ''] = /cat (.*)\)/.exec(message) ?? [];
    expect(await readFile(file, 'utf8')).toBe(embedded?.url);
    expect(await ask(embedded?.url ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await embedded?.release();
    await (await open('contested')).release();
  });

  it('starts again by itself after it was killed, with everything that was committed', async () => {
    const first = await open('plain');
    await ask(first.url, 'CREATE TABLE survivor AS SELECT 1 AS one');
    process.kill(await serverPid(first), 'SIGKILL');

    const second = await open('plain');
    expect(await ask(second.url, 'SELECT one FROM survivor')).toEqual([{ one: 1 }]);
    await first.release();
    await second.release();
  });
});
