// One embedded PostgreSQL on disk: made, found when it already runs, started, stopped. Making and starting is for one process at a
// time (process-lock.ts).
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inProject } from '../../platform/config/project.js';
import type { Home } from './home.js';
import { isAlive } from './process-lock.js';

const execute = promisify(execFile);

/** Recovery after a crash may take long. */
const TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 50;
const POLL_MS = 10;

/** A port that is taken, and the last children of a killed server. */
const TEMPORARY_ERROR =
  /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block/;

export const SUPERUSER = 'postgres';
const WATCHER = inProject('dist/embedded-postgres-watcher.js');

/** What a watcher watches. */
export interface Watch {
  readonly home: Home;
  /** The server's. One that is started after it has a watcher of its own. */
  readonly pid: number;
}

type PidFile = Record<'pid' | 'port', number> & Record<'data' | 'status', string>;

/** Makes the database cluster unless it is there, and returns the superuser's password. */
export async function initialise(home: Home, isDurable: boolean): Promise<string> {
  const password = await keepPassword(home);
  const data = dataOf(home);
  if (existsSync(data)) return password;

  // Made under another name and renamed when complete, so that a crash half-way leaves nothing that looks
  // usable. Never the same name twice: an orphaned initdb of that crash may still be writing to its own.
  for (const name of await readdir(home.directory)) {
    if (!name.startsWith('data.partial-')) continue;
    await rm(join(home.directory, name), { recursive: true, force: true }).catch(() => undefined);
  }
  const partial = `${data}.partial-${randomUUID()}`;
  await mkdir(partial, { mode: 0o700 });
  await chownTo(home, partial);
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
  return file !== undefined && (await isRunning(file)) ? file : undefined;
}

/** The port of the server that runs on this directory and is ready, if there is one. */
export async function findServer(home: Home): Promise<number | undefined> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const file = await readPidFile(home);
    if (file === undefined || !isAlive(file.pid)) return undefined;
    if (!(await isPostgres(file))) {
      // After a reboot the pid is someone else's. PostgreSQL would take that process for a running server.
      await rm(pidFileOf(home), { force: true });
      return undefined;
    }
    if (file.status === 'ready') return file.port;
    // In a smart shutdown it waits for its clients, leases among them, and accepts no new ones.
    if (file.status === 'stopping') await stopServer(home);
    if (Date.now() > deadline) throw timedOut(home, `The PostgreSQL server with pid ${file.pid}`, 'ready');
    await sleep(POLL_MS);
  }
}

/** Starts a server on a free port of the loopback interface, waits until it is ready, and returns the port. */
export async function startServer(home: Home, settings: Record<string, string>): Promise<number> {
  const log = logOf(home);
  await rename(log, `${log}.1`).catch(() => undefined);
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(49_152, 65_536); // unreserved ports; one may be taken
    const failure = await tryToStart(home, { ...settings, port: String(port) });
    if (failure === undefined) return port;
    // A process killed while starting a server may have left one that was too young to be found before.
    const other = await findServer(home);
    if (other !== undefined) return other;
    if (attempt === START_ATTEMPTS || !TEMPORARY_ERROR.test(failure)) {
      throw new Error(`The embedded PostgreSQL in ${home.directory} did not start:\n${failure}`);
    }
    await sleep(POLL_MS * attempt);
  }
}

/** Fast shutdown: rolls back open transactions and disconnects clients; returns when the server is gone. */
export async function stopServer(home: Home): Promise<void> {
  const server = await runningServer(home);
  if (server === undefined) return;
  try {
    process.kill(server.pid, 'SIGINT');
  } catch {
    return; // it has ended by itself
  }
  const deadline = Date.now() + TIMEOUT_MS;
  while (await isRunning(server)) {
    if (Date.now() > deadline)
      throw timedOut(home, `The PostgreSQL server with pid ${server.pid}`, 'stopped');
    await sleep(POLL_MS);
  }
}

/** Returns why the server ended instead of becoming ready. */
async function tryToStart(home: Home, settings: Record<string, string>): Promise<string | undefined> {
  const log = await open(logOf(home), 'a', 0o600);
  try {
    const { size: before } = await log.stat();
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(home.binaries.postgres, ['-D', dataOf(home), ...args], {
      ...childOptions(home),
      detached: true, // Ctrl-C in the terminal does not reach it
      stdio: ['ignore', log.fd, log.fd],
    });
    let exit: string | undefined;
    server.once('error', (error) => (exit = error.message));
    server.once('exit', (code, signal) => (exit = `exit ${signal ?? code}`));
    server.unref();
    if (server.pid !== undefined) startWatcher({ home, pid: server.pid });

    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const file = await readPidFile(home);
      if (file?.pid === server.pid && file?.status === 'ready') return undefined;
      if (exit !== undefined) return (await lastLines(logOf(home), before)) || exit;
      if (Date.now() > deadline) {
        server.kill('SIGQUIT');
        throw timedOut(home, 'The embedded PostgreSQL', 'ready');
      }
      await sleep(POLL_MS);
    }
  } finally {
    await log.close();
  }
}

/** A process that does not end with this one or its terminal. */
function startWatcher(watch: Watch): void {
  const { uid: _uid, gid: _gid, ...options } = childOptions(watch.home);
  const watcher = spawn(process.execPath, [WATCHER, JSON.stringify(watch)], {
    ...options,
    detached: true,
    stdio: 'ignore',
  });
  watcher.on('error', () => undefined); // without it the server is still stopped by whoever releases it last
  watcher.unref();
}

/** The file PostgreSQL keeps while it runs: pid, data folder, start, port, socket folder, address, memory key, status. */
async function readPidFile(home: Home): Promise<PidFile | undefined> {
  const text = await readFile(pidFileOf(home), 'utf8').catch(() => '');
  const [pid = '', data = '', , port = '', , , , status = ''] = text.split('\n');
  if (!/^[1-9]\d*$/.test(pid)) return undefined;
  return { pid: Number(pid), data, port: Number(port), status: status.trim() };
}

async function isRunning(file: PidFile): Promise<boolean> {
  return isAlive(file.pid) && (await isPostgres(file));
}

/** Whether the process of that pid is the server that wrote the file, judged by its command line. */
async function isPostgres(file: PidFile): Promise<boolean> {
  const commandLine = await readFile(`/proc/${file.pid}/cmdline`, 'utf8').catch(() =>
    execute('ps', ['-o', 'args=', '-p', String(file.pid)]).then(
      ({ stdout }) => stdout,
      () => undefined,
    ),
  );
  // Where that is unknown, the careful answer is yes: two servers on one data folder would destroy it.
  return commandLine === undefined || commandLine.includes(file.data);
}

/** Written before the cluster is made with it, and reused after a crash in between. */
async function keepPassword(home: Home): Promise<string> {
  const path = passwordOf(home);
  if (!existsSync(path)) {
    if (existsSync(dataOf(home)))
      throw new Error(`The database's password is missing: bring back ${path}, or delete ${home.directory}.`);
    const fresh = `${path}.new`;
    await rm(fresh, { force: true });
    await writeFile(fresh, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    await chownTo(home, fresh);
    await rename(fresh, path);
  }
  return readPassword(home);
}

export function readPassword(home: Home): Promise<string> {
  return readFile(passwordOf(home), 'utf8');
}

async function chownTo(home: Home, path: string): Promise<void> {
  if (home.user !== undefined) await chown(path, home.user.uid, home.user.gid);
}

/** Only what a server needs: no secrets, and none of the caller's PG* and locale variables. */
function childOptions(home: Home): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  const { PATH, LD_LIBRARY_PATH, SystemRoot } = process.env;
  return { ...home.user, cwd: home.directory, env: { PATH, LD_LIBRARY_PATH, SystemRoot, LC_ALL: 'C' } };
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

function timedOut(home: Home, who: string, state: 'ready' | 'stopped'): Error {
  return new Error(
    `${who} in ${home.directory} was not ${state} after ${TIMEOUT_MS / 1000} s; see ${logOf(home)}.`,
  );
}

const dataOf = (home: Home): string => join(home.directory, 'data');
const pidFileOf = (home: Home): string => join(home.directory, 'data', 'postmaster.pid');
const passwordOf = (home: Home): string => join(home.directory, 'password');
const logOf = (home: Home): string => join(home.directory, 'postgres.log');
