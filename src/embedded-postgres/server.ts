// One embedded PostgreSQL on disk: made, found when it already runs, started, stopped.
//
// Everything here is called by one process at a time for one directory (see embedded-postgres.ts).
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chown, lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Home } from './home.js';
import { isAlive } from './process-lock.js';

const execute = promisify(execFile);

/** Recovery after a crash can take its time; a server that is neither up nor dead by then is stuck. */
const START_PATIENCE_MS = 60_000;
const START_ATTEMPTS = 50;
const POLL_MS = 10;

/**
 * Reasons to die at once that pass by themselves: a port taken in between, and the last children of a killed
 * server.
 */
const PASSING_TROUBLE =
  /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block/;

export const SUPERUSER = 'postgres';

export interface PidFile {
  pid: number;
  data: string;
  port: number;
  status: string;
}

/** Makes the database cluster unless it is there, and returns the superuser's password. */
export async function initialise(home: Home, isDurable: boolean): Promise<string> {
  const password = await keepPassword(home);
  const data = dataOf(home);
  if (await exists(data)) return password;

  // Made under another name and renamed when complete, so that a crash half-way leaves nothing that looks
  // usable. Never the same name twice: an orphaned initdb of that crash may still be writing to its own.
  await sweep(home);
  const partial = `${data}.partial-${randomUUID()}`;
  await mkdir(partial, { mode: 0o700 });
  await give(home, partial);
  const initdb = [
    `--pgdata=${partial}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordOf(home)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own locale: the same order of text on every system, whichever locales that has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(isDurable ? [] : ['--no-sync']),
  ];
  try {
    await execute(home.binaries.initdb, initdb, childOptions(home));
  } catch (cause) {
    await rm(partial, { recursive: true, force: true });
    throw new Error(`The embedded PostgreSQL could not make its data folder: ${firstLine(cause)}.`, {
      cause,
    });
  }
  await rename(partial, data);
  return password;
}

/** The server that runs on this directory, if there is one. */
export async function runningServer(home: Home): Promise<PidFile | undefined> {
  const file = await readPidFile(home);
  return file !== undefined && isAlive(file.pid) && (await isPostgres(file)) ? file : undefined;
}

/** The port of the server that runs on this directory and is ready, if there is one. */
export async function findServer(home: Home): Promise<number | undefined> {
  const deadline = Date.now() + START_PATIENCE_MS;
  for (;;) {
    const file = await readPidFile(home);
    if (file === undefined || !isAlive(file.pid)) return undefined;
    if (!(await isPostgres(file))) {
      // After a reboot the pid is someone else's. PostgreSQL would take that process for a running server.
      await rm(pidFileOf(home), { force: true });
      return undefined;
    }
    if (file.status === 'ready') return file.port;
    // Asked politely to stop, it waits for its clients, our own leases among them, and lets nobody in.
    if (file.status === 'stopping') await stopServer(home);
    if (Date.now() > deadline) throw stuck(home, `The PostgreSQL server with pid ${file.pid}`);
    await sleep(POLL_MS);
  }
}

/**
 * Starts a server on a free port of the loopback interface, waits until it is ready, and returns the port.
 */
export async function startServer(
  home: Home,
  settings: Record<string, string>,
  /** Told the pid of the process as soon as there is one. */
  onSpawn: (pid: number) => void,
): Promise<number> {
  const log = logOf(home);
  await rename(log, `${log}.1`).catch(() => undefined);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const complaint = await tryToStart(home, { ...settings, port: String(port) }, onSpawn);
    if (complaint === undefined) return port;
    // A process killed while starting a server may have left one that was too young to be found before.
    const other = await findServer(home);
    if (other !== undefined) return other;
    if (attempt === START_ATTEMPTS || !PASSING_TROUBLE.test(complaint)) {
      throw new Error(
        `The embedded PostgreSQL in ${home.directory} did not start; its last words:\n${complaint}`,
      );
    }
    await sleep(POLL_MS * attempt);
  }
}

/**
 * Fast shutdown: open transactions are rolled back, clients are sent away; returns when the server is gone.
 */
export async function stopServer(home: Home): Promise<void> {
  const file = await readPidFile(home);
  if (file === undefined) return;
  const isRunning = async (): Promise<boolean> => isAlive(file.pid) && (await isPostgres(file));
  const stop = ['stop', `--pgdata=${dataOf(home)}`, '--mode=fast', '--wait', '--timeout=60'];
  try {
    await execute(home.binaries.pg_ctl, stop, childOptions(home));
  } catch (cause) {
    // It may have ended by itself between being asked about and being stopped.
    if (!(await isRunning())) return;
    throw new Error(`The embedded PostgreSQL in ${home.directory} did not stop: ${firstLine(cause)}.`, {
      cause,
    });
  }
  // pg_ctl waits for the pid file to go, which is nearly the last thing a server does.
  while (await isRunning()) await sleep(POLL_MS);
}

/** Returns what the server complained of when it died instead of becoming ready. */
async function tryToStart(
  home: Home,
  settings: Record<string, string>,
  onSpawn: (pid: number) => void,
): Promise<string | undefined> {
  const log = await open(logOf(home), 'a', 0o600);
  try {
    const { size: before } = await log.stat();
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // In a session of its own: the terminal's Ctrl-C is for us, and the server is stopped by release or by its watcher.
    const server = spawn(home.binaries.postgres, ['-D', dataOf(home), ...args], {
      ...childOptions(home),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    let death: string | undefined;
    server.once('error', (error) => (death = error.message));
    server.once('exit', (code, signal) => (death = `exit ${signal ?? code}`));
    server.unref();
    if (server.pid !== undefined) onSpawn(server.pid);

    const deadline = Date.now() + START_PATIENCE_MS;
    for (;;) {
      const file = await readPidFile(home);
      if (file?.pid === server.pid && file?.status === 'ready') return undefined;
      if (death !== undefined) return (await lastLines(logOf(home), before)) || death;
      if (Date.now() > deadline) {
        server.kill('SIGQUIT');
        throw stuck(home, 'The embedded PostgreSQL');
      }
      await sleep(POLL_MS);
    }
  } finally {
    await log.close();
  }
}

/**
 * The file PostgreSQL keeps while it runs: pid, data folder, start, port, socket folder, address, memory key,
 * status.
 */
async function readPidFile(home: Home): Promise<PidFile | undefined> {
  const text = await readFile(pidFileOf(home), 'utf8').catch(() => '');
  const [pid = '', data = '', , port = '', , , , status = ''] = text.split('\n');
  if (!/^[1-9]\d*$/.test(pid)) return undefined;
  return { pid: Number(pid), data, port: Number(port), status: status.trim() };
}

/** Whether the process of that pid is the server that wrote the file, judged by its command line. */
async function isPostgres(file: PidFile): Promise<boolean> {
  const commandLine = await readFile(`/proc/${file.pid}/cmdline`, 'utf8').catch(() =>
    execute('ps', ['-o', 'args=', '-p', String(file.pid)]).then(
      ({ stdout }) => stdout,
      () => undefined,
    ),
  );
  // Where nobody can tell, the careful answer is yes: two servers on one data folder would destroy it.
  return commandLine === undefined || commandLine.includes(file.data);
}

/** Kept before the cluster is made with it and reused after a crash in between: the two always fit. */
async function keepPassword(home: Home): Promise<string> {
  const path = passwordOf(home);
  if (!(await exists(path))) {
    if (await exists(dataOf(home)))
      throw new Error(`The database's password is missing: bring back ${path}, or delete ${home.directory}.`);
    const fresh = `${path}.new`;
    await rm(fresh, { force: true });
    await writeFile(fresh, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    await give(home, fresh);
    await rename(fresh, path);
  }
  return readPassword(home);
}

export function readPassword(home: Home): Promise<string> {
  return readFile(passwordOf(home), 'utf8');
}

/** Removes what crashed attempts left; whatever cannot be removed yet is in nobody's way. */
async function sweep(home: Home): Promise<void> {
  for (const name of await readdir(home.directory)) {
    if (!name.startsWith('data.partial-')) continue;
    await rm(join(home.directory, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function give(home: Home, path: string): Promise<void> {
  if (home.user !== undefined) await chown(path, home.user.uid, home.user.gid);
}

/** Only what a server needs: neither our secrets nor the caller's PG* and locale variables. */
function childOptions(home: Home): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  const { PATH, LD_LIBRARY_PATH, SystemRoot } = process.env;
  return { ...home.user, cwd: home.directory, env: { PATH, LD_LIBRARY_PATH, SystemRoot, LC_ALL: 'C' } };
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('The system named no free port.')),
      );
    });
  });
}

async function lastLines(path: string, from: number): Promise<string> {
  const text = (await readFile(path)).subarray(from).toString('utf8').trimEnd();
  return text.split('\n').slice(-10).join('\n');
}

function firstLine(error: unknown): string {
  const text =
    typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
  return (text || String(error)).split('\n')[0] ?? '';
}

function stuck(home: Home, who: string): Error {
  return new Error(
    `${who} in ${home.directory} was not ready after ${START_PATIENCE_MS / 1000} s; see ${logOf(home)}.`,
  );
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

const dataOf = (home: Home): string => join(home.directory, 'data');
const pidFileOf = (home: Home): string => join(home.directory, 'data', 'postmaster.pid');
const passwordOf = (home: Home): string => join(home.directory, 'password');
const logOf = (home: Home): string => join(home.directory, 'postgres.log');
