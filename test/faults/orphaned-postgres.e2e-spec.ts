// The embedded PostgreSQL does not survive its users, however they end.
import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAlive } from '../../src/demo/embedded-postgres/server.js';
import { inProject } from '../../src/platform/config/project.js';
import { Child } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { stage } from './support/stage.js';
import { until } from './support/until.js';

const EMBEDDED = pathToFileURL(inProject('build/demo/embedded-postgres/embedded-postgres.js')).href;

/** Uses the database of a folder until it is ended; `then` is what it does with it. It says where the database is. */
async function startUser(directory: string, then = ''): Promise<Child> {
  const script = `
    import { openEmbeddedPostgres } from ${JSON.stringify(EMBEDDED)};
    import pg from 'pg';
    const database = await openEmbeddedPostgres({ directory: ${JSON.stringify(directory)}, durable: false });
    process.stdout.write(database.directory + '\\n');
    setInterval(() => undefined, 1_000);
    ${then}`;
  const { PATH, HOME } = process.env;
  const options = { environment: { PATH, HOME }, cwd: inProject('.'), folder: await temporaryFolder() };
  const args = ['--input-type=module', '--eval', script];
  return stage.add(new Child({ command: process.execPath, args, ...options }));
}

/** Of the server, once the database is open. */
async function pidFileOf(user: Child): Promise<string> {
  await user.until('the database is open', async () => (await user.stdout()).includes('\n'));
  return join((await user.stdout()).split('\n')[0] ?? '', 'data', 'postmaster.pid');
}

const pidIn = async (file: string) => Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10) || 0;
const newDirectory = async () => join(await temporaryFolder(), 'postgres');
const isGone = (server: number) => until('the server is stopped', () => !isAlive(server));

it('is stopped when its user is killed in the middle of a long statement', async () => {
  const user = await startUser(
    await newDirectory(),
    `const client = new pg.Client({ connectionString: database.url, application_name: 'tank-monitoring-cli' });
     await client.connect();
     void client.query('select pg_sleep(600)');
     process.stdout.write('asked\\n');`,
  );
  await user.until('it asks', async () => (await user.stdout()).includes('asked'));
  const server = await pidIn(await pidFileOf(user));
  expect(isAlive(server)).toBe(true);

  user.signal('SIGKILL');
  await isGone(server);
});

it('is stopped when whoever starts it is killed before it is ready', async () => {
  const directory = await newDirectory();
  const first = await startUser(directory);
  const pidFile = await pidFileOf(first);
  const firstServer = await pidIn(pidFile);
  first.signal('SIGKILL');
  await isGone(firstServer);

  const second = await startUser(directory);
  let server = 0;
  await second.until('a server is there', async () => {
    server = await pidIn(pidFile);
    return server !== 0 && server !== firstServer;
  });
  second.signal('SIGKILL');
  await isGone(server);
  expect(isAlive(server)).toBe(false);
});
