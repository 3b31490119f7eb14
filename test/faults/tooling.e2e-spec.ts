// The tools a Nest or TypeORM developer reaches for do what their manuals say.
import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { inProject } from '../../src/platform/config/project.js';
import { migrations } from '../../src/platform/schema/migrations/index.js';
import { Child } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { freePort } from './support/ports.js';
import { newDatabase, stage } from './support/stage.js';

const database = await newDatabase();

/** What npm says in the project. */
async function npm(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: database.url };
  const { stdout } = await promisify(execFile)('npm', args, { cwd: inProject('.'), env });
  return stripVTControlCharacters(stdout); // where CI is set, it is in colours
}

it('npm runs no install script of a package, in any version', async () => {
  expect((await npm('config', 'get', 'ignore-scripts')).trim()).toBe('true');
});

it("TypeORM's own command line knows every migration and what has run: npm run typeorm -- migration:show", async () => {
  const said = await npm('run', 'typeorm', '--', 'migration:show');
  const shown = [...said.matchAll(/^ *\[X\] \d+ (\w+) *$/gm)].map(([, name]) => name);
  expect(shown).toEqual(migrations.map(({ name }) => name));
});

it('what stops npm stops the service: npm start', async () => {
  const port = String(await freePort());
  const npmStart = stage.add(
    new Child({
      command: 'npm',
      args: ['start'],
      environment: { ...process.env, DATABASE_URL: database.url, HOST: '127.0.0.1', PORT: port },
      cwd: inProject('.'),
      folder: await temporaryFolder(),
    }),
  );
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await npmStart.until('the service answers', answers);

  await npmStart.terminate();
  expect(await answers()).toBe(false);
});
