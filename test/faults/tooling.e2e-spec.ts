// The tools a Nest or TypeORM developer reaches for do what their manuals say.
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { appendFile, cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { migrations } from '../../src/platform/schema/migrations/index.js';
import { createBareDatabase, type TestDatabase } from '../support/database.js';
import { Child } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { freePort } from './support/ports.js';
import { newDatabase, stage } from './support/stage.js';
import { until } from './support/until.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const database = await newDatabase();
const environment = { ...process.env, DATABASE_URL: database.url, LOG_LEVEL: 'info' };

/** All of it, from nothing: seconds, on a machine that has nothing else to do. */
const COMPILED_WITHIN_MS = 150_000;

it('npm runs no install script of a package, in any version', async () => {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'ignore-scripts'], {
    cwd: PROJECT,
  });

  expect(stdout.trim()).toBe('true');
});

async function typeorm(command: string, { url }: TestDatabase): Promise<string[]> {
  const { stdout } = await promisify(execFile)('npm', ['run', 'typeorm', '--', command], {
    cwd: PROJECT,
    env: { ...environment, DATABASE_URL: url },
  });
  return stripVTControlCharacters(stdout).split('\n'); // where CI is set, it is in colours
}

describe("TypeORM's own command line", () => {
  it('knows every migration and what has run: npm run typeorm -- migration:show', async () => {
    const lines = await typeorm('migration:show', database);
    const shown = lines.flatMap((line) => /^\[X\] \d+ (\w+)$/.exec(line.trim())?.[1] ?? []);
    expect(shown).toEqual(migrations.map(({ name }) => name));
  });

  it('makes the tables of an empty database: npm run typeorm -- migration:run', async () => {
    const empty = await createBareDatabase();
    stage.add({ stop: () => empty.drop() });
    const last = migrations.at(-1)?.name ?? '';

    expect((await typeorm('migration:run', empty)).join('\n')).toContain(`Migration ${last} has been `);
  });
});

it('npm run start:dev starts the service, and again when a source changes', async () => {
  const copy = await copyOfProject();
  const port = await freePort();
  const nest = new Child({
    command: process.execPath,
    args: ['node_modules/@nestjs/cli/bin/nest.js', 'start', '--watch'],
    environment: { ...environment, PORT: String(port) },
    cwd: copy,
    folder: await temporaryFolder(),
    detached: true,
  });
  stage.add({
    stop: async () => {
      process.kill(-nest.pid, 'SIGKILL'); // what it has started, too
      await nest.ended;
    },
  });
  const starts = async () => (await nest.stdout()).split('"msg":"listening"').length - 1;
  await until('the first start', async () => (await starts()) === 1, COMPILED_WITHIN_MS);
  expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);

  await appendFile(join(copy, 'src/version.ts'), '// A change.\n');
  await until('the second start', async () => (await starts()) === 2, COMPILED_WITHIN_MS);
});

/** To be changed at will. */
async function copyOfProject(): Promise<string> {
  const copy = await temporaryFolder();
  for (const name of ['src', 'package.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json']) {
    await cp(join(PROJECT, name), join(copy, name), { recursive: true });
  }
  await symlink(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
