// A lock between processes on one machine, held for the seconds in which the embedded database is opened.
//
// The lock is a folder that holds one file named after its holder. It is taken by renaming a prepared folder
// into place, which succeeds only where there is none or an empty one, and freed by removing the file. A dead
// holder's lock is broken by removing exactly that holder's file, so two processes breaking it at once can
// never remove a third one's new lock.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 120_000;
const POLL_MS = 20;

/** Holders of this very process: after a container restart a dead holder may have had our own pid. */
const ownHolders = new Set<string>();

export async function withProcessLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const holder = `${process.pid}-${randomUUID()}`;
  ownHolders.add(holder);
  try {
    await acquire(path, holder);
    return await work();
  } finally {
    ownHolders.delete(holder);
    await free(path, holder);
  }
}

async function acquire(path: string, holder: string): Promise<void> {
  const prepared = `${path}.${holder}`;
  const deadline = Date.now() + TIMEOUT_MS;
  try {
    await mkdir(prepared);
    await writeFile(join(prepared, holder), '');
    while (!(await moveIntoPlace(prepared, path))) {
      await freeIfDead(path);
      if (Date.now() > deadline) {
        throw new Error(`Another process has kept ${path} for two minutes: stop it, or delete that folder.`);
      }
      await sleep(POLL_MS);
    }
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw error;
  }
}

async function moveIntoPlace(prepared: string, path: string): Promise<boolean> {
  try {
    await rename(prepared, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    // The folder exists; POSIX allows both codes.
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    if (code === 'EPERM' && process.platform === 'win32') return false;
    throw error;
  }
}

async function freeIfDead(path: string): Promise<void> {
  for (const holder of await readdir(path).catch(() => [])) {
    if (await isDead(path, holder)) await free(path, holder);
  }
}

async function isDead(path: string, holder: string): Promise<boolean> {
  const pid = Number.parseInt(holder, 10);
  if (pid === process.pid) return !ownHolders.has(holder);
  if (!isAlive(pid)) return true;
  // The pid may have been given to someone else by a reboot, and only then while the lock is still there.
  const since = await stat(join(path, holder)).catch(() => undefined);
  return since !== undefined && since.mtimeMs < Date.now() - uptime() * 1000;
}

async function free(path: string, holder: string): Promise<void> {
  await rm(join(path, holder), { force: true });
  // Removes an empty folder only: when another process has already moved its own in, this rightly fails.
  await rmdir(path).catch(() => undefined);
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

/** Not by `instanceof Error`, which the system's errors are not inside a test runner's own realm. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
