// Debian's PostgreSQL 15, server and client programs, for recipes that operators run by hand. Missing unless it is installed.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execute } from '../../support/database.js';
import { Child } from './child.js';
import { temporaryFolder } from './folder.js';
import { freePort } from './ports.js';
import { until } from './until.js';

const BIN = '/usr/lib/postgresql/15/bin';
const SUPERUSER = 'postgres';
const run = promisify(execFile);

export const hasDebianPostgres = existsSync(join(BIN, 'initdb')) && existsSync(join(BIN, 'pg_dump'));

export class DebianPostgres {
  private constructor(
    private readonly folder: string,
    private readonly server: Child,
    private readonly port: number,
  ) {}

  static async start(): Promise<DebianPostgres> {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    await mkdir(data);
    const user = ordinaryUser();
    if (user !== undefined) await chown(data, user.uid, user.gid);
    const cwd = data;
    await run(
      join(BIN, 'initdb'),
      ['-D', data, '-U', SUPERUSER, '--auth=trust', '-E', 'UTF8', '--locale=C'],
      {
        cwd,
        ...user,
      },
    );
    const port = await freePort();
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off'];
    const server = new Child({
      command: join(BIN, 'postgres'),
      args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      environment: { PATH: process.env['PATH'], LC_ALL: 'C' },
      folder,
      cwd,
      ...user,
    });
    const postgres = new DebianPostgres(folder, server, port);
    await until('PostgreSQL 15 lets clients in', () => postgres.answers(), 30_000);
    return postgres;
  }

  /** As psql and its kin take it. */
  get environment(): Record<string, string> {
    return { PGHOST: '127.0.0.1', PGPORT: String(this.port), PGUSER: SUPERUSER };
  }

  url(database: string, user = SUPERUSER, password = 'any'): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  async stop(): Promise<void> {
    this.server.signal('SIGINT'); // sends clients away
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private answers(): Promise<boolean> {
    return execute(this.url('postgres'), 'select 1').then(
      () => true,
      () => false,
    );
  }
}

/** PostgreSQL does not run as root: then as the user that Debian's package makes. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, SUPERUSER], { encoding: 'utf8' }));
}
