// Behind PgBouncer, as docs/database.md sets it up: everything works, no setting is lost unnoticed, and a mode that cannot work
// is refused in words.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { announcedDetour, execute, query } from '../support/database.js';
import { runCli, startCli } from '../support/cli.js';
import { Browser } from '../support/identity.js';
import { Child } from '../faults/support/child.js';
import { DebianPostgres, hasDebianPostgres, ordinaryUser } from '../faults/support/debian-postgres.js';
import { createKey, type Fleet } from '../faults/support/fleet.js';
import { temporaryFolder } from '../faults/support/folder.js';
import { letsIn } from '../faults/support/own-postgres.js';
import { freePort } from '../faults/support/ports.js';
import { sendReading } from '../faults/support/senders.js';
import { ServiceProcess, startInVain } from '../faults/support/service-process.js';
import { stage } from '../faults/support/stage.js';
import { until } from '../faults/support/until.js';
import { contractFailures } from './support/contract.js';
import { DATABASE, startPrimary } from './support/replication.js';

const PROGRAM = '/usr/sbin/pgbouncer';
const PAGE = new URL('../../docs/database.md', import.meta.url);

const hasPgBouncer = existsSync(PROGRAM);

class PgBouncer {
  private constructor(readonly port: number) {}

  /** `changes`: settings other than those of the page; null leaves one out. */
  static async start(
    postgres: DebianPostgres,
    changes: Readonly<Record<string, string | null>> = {},
  ): Promise<PgBouncer> {
    const folder = await temporaryFolder();
    const port = await freePort();
    const users = join(folder, 'userlist.txt');
    await writeFile(users, `"postgres" "any"\n${await documentedUsers()}`);
    const settings = new Map([
      ...(await documentedSettings()),
      ...Object.entries({
        listen_addr: '127.0.0.1',
        listen_port: String(port),
        auth_file: users,
        ...changes,
      }),
    ]);
    const lines = [...settings].flatMap(([name, value]) => (value === null ? [] : [`${name} = ${value}`]));
    const databases = `[databases]\n* = host=127.0.0.1 port=${postgres.port}\n`;
    await writeFile(join(folder, 'pgbouncer.ini'), [databases, '[pgbouncer]', ...lines, ''].join('\n'));
    const args = [join(folder, 'pgbouncer.ini')];
    const child = stage.add(new Child({ command: PROGRAM, args, folder, ...ordinaryUser() }));
    const pooler = new PgBouncer(port);
    await child.until('PgBouncer lets clients in', () => letsIn(pooler.url('postgres')));
    return pooler;
  }

  url(database: string, user = 'postgres'): string {
    return `postgres://${user}:any@127.0.0.1:${this.port}/${database}`;
  }
}

/** The userlist.txt of the page, every password "any". */
async function documentedUsers(): Promise<string> {
  const users = /```text\n((?:"\w+" "…"\n)+)```/.exec(await readFile(PAGE, 'utf8'))?.[1];
  if (users === undefined) throw new Error('docs/database.md shows no userlist.txt.');
  return users.replaceAll('"…"', '"any"');
}

async function documentedSettings(): Promise<[string, string][]> {
  const text = await readFile(PAGE, 'utf8');
  const section = /```ini\n\[databases\][^]*?\[pgbouncer\]\n([^]*?)```/.exec(text)?.[1];
  if (section === undefined) throw new Error('docs/database.md shows no pgbouncer.ini.');
  return section
    .split('\n')
    .map((line) => /^(\w+) = (.*)$/.exec(line.replace(/ *;.*/, '')))
    .flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']]));
}

let postgres: DebianPostgres;
let fleet: Fleet;
let url: string;

/** Dates as no program would write them, so that a lost setting shows. */
const ODD_DEFAULTS = `
  alter database ${DATABASE} set timezone = 'Asia/Kolkata';
  alter database ${DATABASE} set datestyle = 'German, DMY'`;

const described = hasDebianPostgres && hasPgBouncer ? describe : describe.skip;
described("behind a pooler (skipped without Debian's postgresql-15 and pgbouncer)", () => {
  beforeAll(async () => {
    ({ primary: postgres, fleet } = await startPrimary());
    url = postgres.url(DATABASE);
    await execute(url, ODD_DEFAULTS);
  });

  describe('in session mode', () => {
    it('the service reads, takes readings and shows times as it does without', async () => {
      const pooler = await PgBouncer.start(postgres);
      const sender = await createKey(url, { scopes: ['telemetry:write'] });
      const direct = await ServiceProcess.start({ DATABASE_URL: url });
      const service = await ServiceProcess.start({ DATABASE_URL: pooler.url(DATABASE) });

      const sent = await sendReading(service.url, sender, fleet.tankId, '2026-06-01T10:00:00.123Z');
      expect({ status: sent.status, body: sent.body }).toMatchObject({ status: 200 });
      for (const path of fleet.paths) {
        const { body } = await direct.get(path, fleet.key);
        expect(await service.get(path, fleet.key)).toMatchObject({ status: 200, body });
      }
      const newest = await service.get(`/v1/tanks/${fleet.tankId}/telemetry?size=1`, fleet.key);
      expect(newest.body).toContain('"created_at":"2026-06-01T10:00:00.123Z"');
    });

    it('the roles of docs/deploy.md read, send readings, change tanks and sign in', async () => {
      const pooler = await PgBouncer.start(postgres);
      const roles = fileURLToPath(new URL('../../docs/least-privilege.sql', import.meta.url));
      await promisify(execFile)('psql', ['--quiet', `--dbname=${url}`, `--file=${roles}`]);
      const page = await readFile(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
      const [, settings = ''] = /^cat > service\.env <<'END'\n(.*?)^END$/ms.exec(page) ?? [];
      const environment = Object.fromEntries(
        [...settings.matchAll(/^(\w+)=postgres:\/\/(\w+):/gm)].map(([, name, role]) => [
          name,
          pooler.url(DATABASE, role),
        ]),
      );
      expect(Object.keys(environment)).toEqual(['DATABASE_URL', 'INGEST_DATABASE_URL']);
      const service = await ServiceProcess.start({ ...environment, WORKER: 'false' });
      const key = await createKey(url, { scopes: ['read', 'telemetry:write', 'tanks:write'] });

      expect(await sendReading(service.url, key, fleet.tankId, '2026-06-02T10:00:00Z')).toMatchObject({
        status: 200,
      });
      const name = 'through the pooler';
      const renamed = await service.send(key, 'PATCH', `/v1/tanks/${fleet.tankId}`, { name });
      expect(renamed).toMatchObject({ status: 200 });
      const browser = new Browser(service.url);
      expect(await browser.statusOf('/auth/key', { method: 'POST', body: { key } })).toBe(200);
      expect(await browser.statusOf('/v1/tanks')).toBe(200);
      expect(await browser.statusOf('/auth/logout', { method: 'POST', body: {} })).toBe(204);
      expect(await browser.statusOf('/v1/tanks')).toBe(401);
      expect(await service.ready()).toMatchObject({ status: 200 });
    });

    it('the service says what to set when the pooler refuses its settings', async () => {
      const pooler = await PgBouncer.start(postgres, { ignore_startup_parameters: null });

      const { code, stderr } = await startInVain({ DATABASE_URL: pooler.url(DATABASE) });

      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^The database at .*unsupported startup parameter: options.*ignore_startup_parameters/,
      );
    });

    it('the contract holds', async () => {
      const pooler = await PgBouncer.start(postgres, {
        default_pool_size: '60',
        max_client_conn: '1000',
        server_login_retry: '0',
      });

      const failures = await contractFailures({
        TEST_DATABASE_URL: postgres.url('postgres'),
        ...announcedDetour({ poolerPort: pooler.port }),
      });
      expect(failures).toEqual([]);
    }, 1_800_000);
  });

  describe('in transaction mode', () => {
    it('the service refuses to start where prepared statements are lost, and says what to set', async () => {
      const pooler = await PgBouncer.start(postgres, { pool_mode: 'transaction' });

      const { code, stderr } = await startInVain({ DATABASE_URL: pooler.url(DATABASE) });

      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^The pooler gives each transaction another session.*max_prepared_statements.*pool_mode = session/,
      );
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    });

    it('migrations run once, from several machines together, and leave no lock behind', async () => {
      const pooler = await PgBouncer.start(postgres, { pool_mode: 'transaction' });
      await execute(postgres.url('postgres'), 'create database fresh');
      await execute(postgres.url('postgres'), "alter database fresh set TimeZone = 'UTC'"); // else it refuses, likewise

      const results = await Promise.all([1, 2, 3].map(() => startCli(pooler.url('fresh'), 'migrate').result));

      expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
      const told = results.map(({ stderr }) => stderr).join('');
      expect(told.match(/^The database is up to date\.$/gm)).toHaveLength(2);
      const locks = `select from pg_locks join pg_database on pg_database.oid = database and datname = 'fresh'
                     where locktype = 'advisory'`;
      await until('no lock is left', async () => (await query(postgres.url('fresh'), locks)).length === 0);
      expect(await runCli(pooler.url('fresh'), 'counts', 'verify')).toMatchObject({ code: 0 });
    });
  });
});
