// Builds dist/ when something it is made of is newer, and says so; otherwise silent and quick. Where there are no sources, as in
// the image, there is nothing to build.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
/** Folders count with all that is in them, and themselves: one is newer when a file in it was removed. */
const SOURCES = [
  'src',
  'web',
  'client/src',
  'docs/least-privilege.sql',
  'client/tsconfig.json',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/bundle.js',
  'node_modules/.package-lock.json', // written by each npm ci and npm install
];
const MADE = ['dist/main.js', 'dist/cli.js', 'client/dist/index.js'];

if (existsSync(join(PROJECT, 'src')) && Math.max(...SOURCES.map(newest)) >= oldestMade()) build();

function build() {
  process.stderr.write('Building the service from its sources (only when they have changed) ...\n');
  const started = new Date();
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: PROJECT,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd], // stdout belongs to the command
    shell: process.platform === 'win32', // npm is a script there
  });
  if (status !== 0) {
    process.stderr.write('The build failed.\n');
    process.exit(1);
  }
  // As old as what was read: a source that was saved meanwhile is newer.
  for (const file of MADE) utimesSync(join(PROJECT, file), started, started);
}

function newest(path) {
  const found = statSync(join(PROJECT, path), { throwIfNoEntry: false });
  if (found === undefined) return 0;
  const inside = found.isDirectory() ? readdirSync(join(PROJECT, path)) : [];
  return Math.max(found.mtimeMs, ...inside.map((name) => newest(join(path, name))));
}

function oldestMade() {
  return Math.min(
    ...MADE.map((file) => statSync(join(PROJECT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}
