// The embedded PostgreSQL does not survive its users, however they end.
import { describe, expect, it } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inProject } from '../../src/platform/config/project.js';
import { isAlive } from '../../src/demo/embedded-postgres/server.js';
import { Child } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { stage } from './support/stage.js';
import { until } from './support/until.js';

const EMBEDDED = pathToFileURL(inProject('build/demo/embedded-postgres/embedded-postgres.js')).href;

/** Uses the database of a folder until it is ended; `then` is what it does with it. */
async function startUser(directory: string, then = ''): Promise<Child> {
  const folder = await temporaryFolder();
  const script = `
    import { openEmbeddedPostgres } from ${JSON.stringify(EMBEDDED)};
    import pg from 'pg';
    const database = await openEmbeddedPostgres({ directory: ${JSON.stringify(directory)}, durable: false });
    process.stdout.write(database.directory + '\\n');
    setInterval(() => undefined, 1_000);
    ${then}`;
  const { PATH, HOME } = process.env;
  const child = new Child({
    command: process.execPath,
    args: ['--input-type=module', '--eval', script],
    environment: { PATH, HOME },
    cwd: inProject('.'),
    folder,
  });
  stage.add({ stop: () => child.stop().then(() => rm(folder, { recursive: true, force: true })) });
  return child;
}

async function serverOf(user: Child): Promise<number> {
  await until('the database is open', async () => {
    if (!user.isRunning) throw new Error(await user.stderr());
    return (await user.stdout()).includes('\n');
  });
  const home = (await user.stdout()).trim();
  return Number.parseInt(await readFile(join(home, 'data', 'postmaster.pid'), 'utf8'), 10);
}

async function newDirectory(): Promise<string> {
  const folder = await temporaryFolder();
  return join(folder, 'postgres');
}

const isGone = (server: number) => until('the server is stopped', () => !isAlive(server));

describe('the embedded PostgreSQL', () => {
  it('is stopped when its user is killed in the middle of a long statement', async () => {
    const user = await startUser(
      await newDirectory(),
      `const client = new pg.Client({ connectionString: database.url, application_name: 'tank-monitoring-cli' });
       await client.connect();
       void client.query('select pg_sleep(600)');
       process.stdout.write('asked\\n');`,
    );
    await until('it asks', async () => (await user.stdout()).includes('asked'));
    const server = Number.parseInt(
      await readFile(join((await user.stdout()).split('\n')[0] ?? '', 'data', 'postmaster.pid'), 'utf8'),
      10,
    );

    user.signal('SIGKILL');
    await isGone(server);

    expect(isAlive(server)).toBe(false);
  });

  it('is stopped when whoever starts it is killed before it is ready', async () => {
    const directory = await newDirectory();
    const first = await startUser(directory);
    const pidFile = join(await serverHome(first), 'data', 'postmaster.pid');
    const firstServer = await serverOf(first);
    first.signal('SIGKILL');
    await isGone(firstServer);

    const second = await startUser(directory);
    let server = 0;
    await until('a server is there', async () => {
      server = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10) || 0;
      return server !== 0 && server !== firstServer;
    });
    second.signal('SIGKILL');
    await isGone(server);

    expect(isAlive(server)).toBe(false);
  });
});

async function serverHome(user: Child): Promise<string> {
  await serverOf(user);
  return (await user.stdout()).trim();
}
