// Debian's PostgreSQL 15, server and client programs, for recipes that operators run by hand. Missing unless it is installed.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execute } from '../../support/database.js';
import { Child } from './child.js';
import { temporaryFolder } from './folder.js';
import { letsIn, serverArguments } from './own-postgres.js';
import { freePort } from './ports.js';
import { stage } from './stage.js';

const BIN = '/usr/lib/postgresql/15/bin';
const SUPERUSER = 'postgres';
const run = promisify(execFile);

export const hasDebianPostgres = existsSync(join(BIN, 'initdb')) && existsSync(join(BIN, 'pg_dump'));

type Settings = Readonly<Record<string, string>>;

export class DebianPostgres {
  private server: Child | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly settings: Settings,
  ) {}

  static start(settings: Settings = {}): Promise<DebianPostgres> {
    const options = ['-U', SUPERUSER, '--auth=trust', '-E', 'UTF8', '--locale=C'];
    return DebianPostgres.make(settings, (data) =>
      runAsOrdinaryUser('initdb', data, ['-D', data, ...options]),
    );
  }

  /** A copy of what listens on that port, which goes on following it. */
  static startStandby(primaryPort: number, name: string): Promise<DebianPostgres> {
    const source = `host=127.0.0.1 port=${primaryPort} user=${SUPERUSER} application_name=${name}`;
    const options = ['--dbname', source, '--write-recovery-conf', '--checkpoint=fast'];
    return DebianPostgres.make({}, (data) =>
      runAsOrdinaryUser('pg_basebackup', data, ['--pgdata', data, ...options]),
    );
  }

  private static async make(
    settings: Settings,
    fill: (data: string) => Promise<void>,
  ): Promise<DebianPostgres> {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    const user = ordinaryUser();
    if (user !== undefined) await chown(data, user.uid, user.gid);
    await fill(data);
    const postgres = stage.add(new DebianPostgres(folder, await freePort(), settings));
    await postgres.bringUp();
    return postgres;
  }

  /** Starts the server and returns when it lets clients in. */
  async bringUp(): Promise<void> {
    const data = join(this.folder, 'data');
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      fsync: 'off',
      ...this.settings,
    };
    this.server = new Child({
      command: join(BIN, 'postgres'),
      args: serverArguments(data, settings),
      environment: { PATH: process.env['PATH'], LC_ALL: 'C' },
      folder: this.folder,
      cwd: data,
      ...ordinaryUser(),
    });
    await this.server.until('PostgreSQL 15 lets clients in', () => letsIn(this.url('postgres')));
  }

  /** As psql and its kin take it. */
  get environment(): Record<string, string> {
    return { PGHOST: '127.0.0.1', PGPORT: String(this.port), PGUSER: SUPERUSER };
  }

  url(database: string, user = SUPERUSER, password = 'any'): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** From now on, a setting is that. */
  async set(setting: string, value: string): Promise<void> {
    await execute(this.url('postgres'), `alter system set ${setting} = '${value}'`);
    await execute(this.url('postgres'), 'select pg_reload_conf()');
  }

  /** A standby goes on receiving, and shows what it shows now until it may go on. */
  pauseReplay(): Promise<void> {
    return execute(this.url('postgres'), 'select pg_wal_replay_pause()');
  }

  resumeReplay(): Promise<void> {
    return execute(this.url('postgres'), 'select pg_wal_replay_resume()');
  }

  /** Without a farewell to anybody, and nothing is written down. */
  async crash(): Promise<void> {
    this.server?.signal('SIGQUIT');
    await this.server?.ended;
  }

  async stop(): Promise<void> {
    if (this.server?.isRunning === true) this.server.signal('SIGINT'); // sends clients away
    await this.server?.stop();
  }
}

async function runAsOrdinaryUser(program: string, cwd: string, args: readonly string[]): Promise<void> {
  await run(join(BIN, program), args, { cwd, ...ordinaryUser() });
}

/** PostgreSQL does not run as root: then as the user that Debian's package makes. */
export function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, SUPERUSER], { encoding: 'utf8' }));
}
