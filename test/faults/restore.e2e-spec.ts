// The recipe for a restore on a new server, run as the documentation writes it, with PostgreSQL's own programs.
import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDataSource, operatorOptions } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { partitionOn } from '../../src/database/partitions.js';
import { execute, query } from '../support/database.js';
import { DebianPostgres, hasDebianPostgres } from './support/debian-postgres.js';
import { createFleet } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { expectOnly } from './support/judgement.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { Stage } from './support/stage.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PASSWORDS = { OWNER_PASSWORD: 'of-the-owner', API_PASSWORD: 'of-the-api' };
const run = promisify(execFile);
const stage = new Stage();
afterAll(() => stage.clear());

/** The two scripts of "Backup and restore": what runs on the old server, and what runs on the new one. */
async function documentedScripts(): Promise<[dump: string, restore: string]> {
  const operations = await readFile(join(PROJECT, 'docs/operations.md'), 'utf8');
  const section = operations.slice(operations.indexOf('\n## Backup and restore'));
  const [dump = '', restore = ''] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, script]) => script ?? '',
  );
  return [dump, restore.replaceAll('npx tank-monitoring', `node ${join(PROJECT, 'dist/cli.js')}`)];
}

async function runScript(
  script: string,
  folder: string,
  environment: Record<string, string>,
): Promise<string> {
  const { PATH, HOME } = process.env;
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH, HOME, ...environment },
  });
  return stdout + stderr;
}

const COUNTS = `select (select count(*) from customers)::int as customers, (select count(*) from tanks)::int as tanks,
  (select count(*) from telemetry)::int as readings, (select count(*) from api_keys)::int as keys`;

const NOT_OF_THE_OWNER = `
  select relname from pg_class where relnamespace = 'public'::regnamespace and relowner <> 'tanks_owner'::regrole`;
const PARTITIONS = `
  select inhrelid::regclass::text as name, telemetry_is_partitioned() from pg_inherits
  where inhparent = 'telemetry'::regclass order by 1`;

const described = hasDebianPostgres ? describe : describe.skip;
described("a restore on a new server (skipped without Debian's postgresql-15)", () => {
  it.each([
    ['', 'off'],
    [' of monthly partitions', 'on'],
  ] as const)('brings everything back%s, with roles and privileges, as documented', async (_, partitions) => {
    const folder = await temporaryFolder();
    stage.add({ stop: () => rm(folder, { recursive: true, force: true }) });
    await cp(join(PROJECT, 'docs/least-privilege.sql'), join(folder, 'docs/least-privilege.sql'));
    const [dump, restore] = await documentedScripts();
    const before = stage.add(await DebianPostgres.start());
    await execute(before.url('postgres'), 'create database production');
    const dataSource = await openDataSource(operatorOptions(before.url('production')));
    await migrate(dataSource);
    const fleet = await createFleet(before.url('production'));
    if (partitions === 'on') await partitionOn(dataSource, () => undefined);
    await dataSource.destroy();
    await runScript(dump, folder, { DATABASE_URL: before.url('production') });

    const after = stage.add(await DebianPostgres.start());
    const said = await runScript(restore, folder, {
      ...after.environment,
      ...PASSWORDS,
      RESTORED_DATABASE_URL: after.url('tanks', 'tanks_owner', PASSWORDS.OWNER_PASSWORD),
    });

    expect(said).toContain('All counts are right.');
    expect(await query(after.url('tanks'), COUNTS)).toEqual(await query(before.url('production'), COUNTS));
    expect(await query(after.url('tanks'), NOT_OF_THE_OWNER)).toEqual([]);
    expect(await query(after.url('tanks'), PARTITIONS)).toEqual(
      await query(before.url('production'), PARTITIONS),
    );
    const asApi = after.url('tanks', 'tanks_api', PASSWORDS.API_PASSWORD);
    const service = stage.add(await ServiceProcess.start({ DATABASE_URL: asApi, INGEST: 'off' }));
    const asked = fleet.paths.map((path) => ask(service.url, { path, headers: fleet.headers }));
    expectOnly([200], await Promise.all(asked));
    await expect(execute(asApi, 'set transaction read write; delete from telemetry')).rejects.toThrow(
      'permission denied',
    );
  });
});
