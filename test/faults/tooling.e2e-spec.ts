// The tools a Nest or TypeORM developer reaches for do what their manuals say.
import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { inProject } from '../../src/platform/config/project.js';
import { migrations } from '../../src/platform/schema/migrations/index.js';
import { newDatabase } from './support/stage.js';

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
