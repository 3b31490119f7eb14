// Starts the watcher of a server, as a process that has nothing to do with ours any more: not its terminal, not its end.
import { spawn } from 'node:child_process';
import { inProject } from '../project.js';
import type { Watch } from './watcher.js';

const WATCHER = inProject('dist/embedded-postgres-watcher.js');

export function startWatcher({ lock, home, pid }: Watch): void {
  const { PATH, LD_LIBRARY_PATH, SystemRoot } = process.env;
  const watch: Watch = { lock, home, pid };
  const watcher = spawn(process.execPath, [WATCHER, JSON.stringify(watch)], {
    cwd: home.directory,
    env: { PATH, LD_LIBRARY_PATH, SystemRoot },
    detached: true,
    stdio: 'ignore',
  });
  // Without it the server is still stopped by those who end politely.
  watcher.on('error', () => undefined);
  watcher.unref();
}
