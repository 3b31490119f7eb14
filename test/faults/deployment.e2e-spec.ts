// The steps of docs/deploy.md, run as they are written there, with PostgreSQL's own programs and a role for each part.
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inProject } from '../../src/platform/config/project.js';
import { runCli } from '../support/cli.js';
import { query } from '../support/database.js';
import { customerLine, ndjson, tankLine } from '../support/lines.js';
import { Child } from './support/child.js';
import { DebianPostgres, hasDebianPostgres } from './support/debian-postgres.js';
import { temporaryFolder } from './support/folder.js';
import { ask } from './support/requests.js';
import { freePort } from './support/ports.js';
import { runScript, scriptsIn, typedTwice } from './support/script.js';
import { ServiceProcess, startInVain } from './support/service-process.js';
import { stage } from './support/stage.js';
import { until } from './support/until.js';

/** The scripts of a section, in their order. */
async function documentedSteps(heading: string, file = 'deploy.md'): Promise<string[]> {
  const page = await readFile(inProject(`docs/${file}`), 'utf8');
  const start = page.indexOf(`\n## ${heading}`);
  return scriptsIn(page.slice(start, page.indexOf('\n## ', start + 1)));
}

/** The service and the worker, by the commands of the page; they are ready. */
async function startAll(commands: string, cwd: string): Promise<{ running: Child[]; url: string }> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const environment = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port) };
  const running = commands
    .trim()
    .split('\n')
    .map((command) => ['-c', `exec ${command}`])
    .map((args) => stage.add(new Child({ command: 'bash', args, environment, folder, cwd })));
  const url = `http://127.0.0.1:${port}`;
  await until('it is ready', async () => (await ask(url, { path: '/health/ready' })).status === 200);
  await until('the worker works', async () => /"msg":"working"/.test((await running[1]?.stdout()) ?? ''));
  return { running, url };
}

const ROLES_WITH_PASSWORD = `
  select count(*)::int as n from pg_authid where rolname like 'tanks\\_%' and rolpassword like 'SCRAM-SHA-256$%'`;

const described = hasDebianPostgres ? describe : describe.skip;
described("the documented deployment (skipped without Debian's postgresql-15)", () => {
  it('works word for word, with a role for each part', async () => {
    const folder = await temporaryFolder();
    for (const name of ['docs', 'dist', 'node_modules', 'package.json'])
      await symlink(inProject(name), join(folder, name));
    await writeFile(join(folder, 'fleet.ndjson'), ndjson([customerLine('c-1'), tankLine('t-1', 'c-1')]));
    const postgres = await DebianPostgres.start();
    const { environment } = postgres;
    const [roles = '', settings = '', tables = '', keyAndData = '', processes = '', tryIt = '', roll = ''] =
      await documentedSteps('Step by step');

    const passwords = ['of-owner', 'of-api', 'of-ingest', 'of-manage', 'of-worker'];
    expect(await runScript(roles, folder, environment, typedTwice(passwords))).toMatchObject({ code: 0 });
    expect(await query(postgres.url('tanks'), ROLES_WITH_PASSWORD)).toEqual([{ n: 5 }]);
    const real = settings
      .replaceAll('db.example.com:5432', `127.0.0.1:${postgres.port}`)
      .replaceAll(/tanks_(\w+):PASSWORD/g, 'tanks_$1:of-$1');
    expect(await runScript(real, folder, environment)).toMatchObject({ code: 0 });
    for (const file of ['owner.env', 'service.env', 'worker.env'])
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);

    const [migrate = '', grant = ''] = tables.trim().split('\n');
    expect(await runScript(migrate, folder, environment)).toMatchObject({ code: 0 });
    const tooEarly = await startInVain({ DATABASE_URL: postgres.url('tanks', 'tanks_api', 'of-api') });
    expect(tooEarly.stderr).toMatch(
      /^The database role may not read what the service needs: permission denied .* Run docs\/least-privilege\.sql again, .*\n$/,
    );
    expect(await runScript(grant, folder, environment)).toMatchObject({ code: 0 });
    const { code, said } = await runScript(keyAndData, folder, environment);
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringMatching(/^tms_\S+$/m) });

    const { running, url } = await startAll(processes, folder);
    const key = /^tms_\S+$/m.exec(said)?.[0] ?? '';
    const mine = tryIt.replace('http://127.0.0.1:3000', url).replace('tms_...', key);
    expect(await runScript(mine, folder, environment)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/"created":1\b.*"min_fill_alert_percentage":25\b/s),
    });
    const rolled = await runScript(roll, folder, { ...environment, KEY: key });
    const newKeys = rolled.said.match(/^tms_\S+$/gm) ?? [];
    expect([rolled.code, newKeys.length]).toEqual([0, 2]);
    const again = mine.replace(key, newKeys[1] ?? '');
    expect(await runScript(again, folder, environment)).toMatchObject({ code: 0 });
    expect(await query(postgres.url('tanks'), 'select count(*)::int as n from customers')).toEqual([
      { n: 1 },
    ]);

    // A new password, without a gap: other processes take over before the old roles are closed.
    const [secondRoles = '', closeOld = ''] = await documentedSteps('A new password', 'recipes.md');
    const typed = typedTwice(['of-api_2', 'of-manage_2', 'of-worker_2']);
    expect(await runScript(secondRoles, folder, environment, typed)).toMatchObject({ code: 0 });
    const edit = "sed -i -E 's/tanks_(\\w+):of-\\w+/tanks_\\1_2:of-\\1_2/' service.env worker.env";
    await runScript(edit, folder, {});
    const later = await startAll(processes, folder);
    for (const child of running) await child.stop();
    expect(await runScript(closeOld, folder, environment)).toMatchObject({ code: 0 });
    expect(await runScript(again.replace(url, later.url), folder, environment)).toMatchObject({ code: 0 });
    const old = query(postgres.url('tanks', 'tanks_api', 'of-api'), 'select 1');
    await expect(old).rejects.toThrow('role "tanks_api" is not permitted to log in');
    for (const child of [...running, ...later.running])
      expect(await child.stdout()).not.toMatch(/"level":"(warn|error)"/);
  });

  it('with Compose has passwords that stay, a port for this machine only, and no superuser', async () => {
    const folder = await temporaryFolder();
    const [first = ''] = await documentedSteps('With Docker Compose');
    const makePasswords = first.slice(0, first.indexOf('docker compose'));
    expect(await runScript(makePasswords, folder, {})).toMatchObject({ code: 0 });
    const passwords = await readFile(join(folder, '.env'), 'utf8');
    expect(await runScript(makePasswords, folder, {})).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe(passwords);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);

    // As Compose fills it in, but for where the database is.
    const postgres = await DebianPostgres.start();
    const [, password = ''] = /^TANKS_PASSWORD=([0-9a-f]{32})$/m.exec(passwords) ?? [];
    const compose = load(
      (await readFile(inProject('docker-compose.yml'), 'utf8'))
        .replaceAll(/\$\{TANKS_PASSWORD[^}]*\}/g, password)
        .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
        .replace('@database:5432', `@127.0.0.1:${postgres.port}`),
    ) as Compose;
    expect(compose.services.api.ports).toEqual(['127.0.0.1:3000:3000']);
    await query(postgres.url('postgres'), 'create database tanks');
    await query(postgres.url('tanks'), compose.configs.roles.content);
    const { DATABASE_URL } = compose['x-service'].environment;
    expect(await runCli(DATABASE_URL, 'migrate')).toMatchObject({ code: 0 });
    const service = await ServiceProcess.start({ DATABASE_URL });
    expect((await service.ready()).status).toBe(200);
    const rights = 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user';
    expect(await query(DATABASE_URL, rights)).toEqual([
      { rolsuper: false, rolcreaterole: false, rolcreatedb: false },
    ]);
  });
});

interface Compose {
  readonly 'x-service': { readonly environment: { readonly DATABASE_URL: string } };
  readonly services: { readonly api: { readonly ports: readonly string[] } };
  readonly configs: { readonly roles: { readonly content: string } };
}
