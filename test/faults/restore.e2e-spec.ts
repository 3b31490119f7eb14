// The recipe for a restore on a new server, run as the documentation writes it, with PostgreSQL's own programs.
import { describe, expect, it } from '@jest/globals';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { partitionOn } from '../../src/telemetry/storage/partitions.js';
import { execute, query } from '../support/database.js';
import { DebianPostgres, hasDebianPostgres } from './support/debian-postgres.js';
import { createFleet } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { expectOnly } from './support/judgement.js';
import { ask } from './support/requests.js';
import { runScript, scriptsIn, typedTwice } from './support/script.js';
import { ServiceProcess } from './support/service-process.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PASSWORDS = {
  owner: 'of-the-owner',
  api: 'of-the-api',
  ingest: 'of-the-ingest',
  worker: 'of-the-worker',
};
/** The two scripts of "Backup and restore": what runs on the old server, and what runs on the new one. */
async function documentedScripts(): Promise<[dump: string, restore: string]> {
  const page = await readFile(join(PROJECT, 'docs/data.md'), 'utf8');
  const [dump = '', restore = ''] = scriptsIn(page.slice(page.indexOf('\n## Backup and restore')));
  return [dump, restore];
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
    for (const name of ['docs', 'dist', 'package.json'])
      await symlink(join(PROJECT, name), join(folder, name));
    const [dump, restore] = await documentedScripts();
    const before = await DebianPostgres.start();
    await execute(before.url('postgres'), 'create database production');
    const dataSource = await openDataSource(operatorOptions(before.url('production')));
    await migrate(dataSource);
    const fleet = await createFleet(before.url('production'));
    if (partitions === 'on') await partitionOn(dataSource, () => undefined);
    await dataSource.destroy();
    const dumpOfBefore = dump.replace(
      'postgres://tanks_owner@db.example.com/tanks',
      before.url('production'),
    );
    expect(dumpOfBefore).not.toBe(dump);
    expect(await runScript(dumpOfBefore, folder, {})).toMatchObject({ code: 0 });
    expect((await stat(join(folder, 'tanks.dump'))).mode & 0o777).toBe(0o600);

    const after = await DebianPostgres.start();
    const owner = after.url('tanks', 'tanks_owner', PASSWORDS.owner);
    await writeFile(join(folder, 'owner.env'), `DATABASE_URL=${owner}\n`);
    const typed = typedTwice(Object.values(PASSWORDS));
    const { code, said } = await runScript(restore, folder, after.environment, typed);

    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toContain('All counts are right.');
    expect(await query(after.url('tanks'), COUNTS)).toEqual(await query(before.url('production'), COUNTS));
    expect(await query(after.url('tanks'), NOT_OF_THE_OWNER)).toEqual([]);
    expect(await query(after.url('tanks'), PARTITIONS)).toEqual(
      await query(before.url('production'), PARTITIONS),
    );
    const asApi = after.url('tanks', 'tanks_api', PASSWORDS.api);
    const service = await ServiceProcess.start({ DATABASE_URL: asApi, INGEST: 'false' });
    const asked = fleet.paths.map((path) => ask(service.url, { path, headers: fleet.headers }));
    expectOnly([200], await Promise.all(asked));
    await expect(execute(asApi, 'set transaction read write; delete from telemetry')).rejects.toThrow(
      'permission denied',
    );
  });
});
