// Debian's PostgreSQL 15 for what the embedded one cannot be: a primary with standbys, the nodes of a cluster. Each server ends, and
// its data go, with the benchmark.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { defer } from './cleanup.js';
import { query } from './database.js';
import { freePort } from './servers.js';

const BIN = '/usr/lib/postgresql/15/bin';
const STARTS_WITHIN_MS = 30_000;
const run = promisify(execFile);

export const DATABASE = 'tanks';
export const hasDebianPostgres = existsSync(join(BIN, 'initdb'));

const initdb = (data) => [
  'initdb',
  ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C'],
];

/** @param {string[]} [settings] such as `wal_level=logical` */
export function startPostgres(name, settings = []) {
  return start(name, initdb, settings);
}

/** A copy of the primary that goes on following it. */
export function startStandby(name, { port }) {
  const source = `host=127.0.0.1 port=${port} user=postgres`;
  return start(name, (data) => ['pg_basebackup', ['-D', data, '-d', source, '-R', '--checkpoint=fast']], []);
}

/** PostgreSQL does not run as root: then as the user that Debian's package makes. */
async function start(name, fillWith, more) {
  const user = process.getuid() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const data = await mkdtemp(join(tmpdir(), `tank-bench-${name}-`));
  await chmod(data, 0o700);
  if (user.uid !== undefined) await chown(data, user.uid, user.gid);
  const options = { cwd: data, ...user };
  const [program, args] = fillWith(data);
  await run(join(BIN, program), args, options);
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=200',
    'shared_buffers=256MB',
    'max_wal_size=4GB',
    ...more,
  ];
  const server = spawn(
    join(BIN, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, env: { PATH: process.env.PATH, LC_ALL: 'C' }, stdio: 'ignore' },
  );
  defer(async () => {
    server.kill('SIGINT');
    if (server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve));
    await rm(data, { recursive: true, force: true });
  });
  const url = (database) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  for (const deadline = performance.now() + STARTS_WITHIN_MS; ; await sleep(50)) {
    const isUp = await query(url('postgres'), 'select 1').then(
      () => true,
      () => false,
    );
    if (isUp) return { url, port };
    if (server.exitCode !== null || performance.now() > deadline)
      throw new Error(`PostgreSQL "${name}" did not start.`);
  }
}

function idOf(option) {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
}
