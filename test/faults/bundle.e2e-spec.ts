// What is deployed is a bundle. A bundler may rename a class or leave out a file; nobody may notice.
import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { inProject } from '../../src/platform/config/project.js';
import { runCli } from '../support/cli.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase } from './support/stage.js';

const database = await newDatabase();
const service = await ServiceProcess.start({ DATABASE_URL: database.url });

it('describes itself by the names its source has', async () => {
  const { body } = await ask(service.url, { path: '/openapi.json' });
  expect(JSON.parse(body)).toEqual(JSON.parse(await readFile(inProject('openapi.json'), 'utf8')));
});

it.each(['/docs', '/docs/swagger-ui-init.js', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'])(
  'serves %s',
  async (path) => {
    expect((await ask(service.url, { path })).status).toBe(200);
  },
);

it('knows the migrations that unbundled code has run', async () => {
  expect(await runCli(database.url, 'migrate')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'The database is up to date.\n',
  });
});
