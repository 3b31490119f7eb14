// The recipe for a restore on a new server, run as the documentation writes it, with PostgreSQL's own programs.
import { describe, expect, it } from '@jest/globals';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inProject } from '../../src/platform/config/project.js';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { partitionOn } from '../../src/telemetry/storage/partitions.js';
import { execute, query } from '../support/database.js';
import { DebianPostgres, hasDebianPostgres } from './support/debian-postgres.js';
import { createFleet } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { expectOnly } from './support/judgement.js';
import { runScript, scriptsIn, typedTwice } from './support/script.js';
import { ServiceProcess } from './support/service-process.js';

/** In the order in which they are asked for. */
const ROLES = ['owner', 'api', 'ingest', 'worker'];
/** The two scripts of "Backup and restore": what runs on the old server, and what runs on the new one. */
async function documentedScripts(): Promise<[dump: string, restore: string]> {
  const page = await readFile(inProject('docs/data.md'), 'utf8');
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
    for (const name of ['docs', 'dist', 'package.json']) await symlink(inProject(name), join(folder, name));
    const [dump, restore] = await documentedScripts();
    const before = await DebianPostgres.start();
    await execute(before.url('postgres'), 'create database production');
    const dataSource = await openDataSource(operatorOptions(before.url('production')));
    await migrate(dataSource);
    const fleet = await createFleet(before.url('production'));
    if (partitions === 'on') await partitionOn(dataSource, () => undefined);
    await dataSource.destroy();
    const mine = dump.replace('postgres://tanks_owner@db.example.com/tanks', before.url('production'));
    expect(await runScript(mine, folder, {})).toMatchObject({ code: 0 });
    expect((await stat(join(folder, 'tanks.dump'))).mode & 0o777).toBe(0o600);

    const after = await DebianPostgres.start();
    const owner = after.url('tanks', 'tanks_owner', 'of-owner');
    await writeFile(join(folder, 'owner.env'), `DATABASE_URL=${owner}\n`);
    const typed = typedTwice(ROLES.map((role) => `of-${role}`));
    const { code, said } = await runScript(restore, folder, after.environment, typed);

    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toContain('All counts are right.');
    for (const what of [COUNTS, PARTITIONS])
      expect(await query(after.url('tanks'), what)).toEqual(await query(before.url('production'), what));
    expect(await query(after.url('tanks'), NOT_OF_THE_OWNER)).toEqual([]);
    const asApi = after.url('tanks', 'tanks_api', 'of-api');
    const service = await ServiceProcess.start({ DATABASE_URL: asApi, INGEST: 'false' });
    expectOnly([200], await Promise.all(fleet.paths.map((path) => service.get(path, fleet.key))));
    await expect(execute(asApi, 'set transaction read write; delete from telemetry')).rejects.toThrow(
      'permission denied',
    );
  });
});
