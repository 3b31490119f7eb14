// A PostgreSQL of the test's own, always on the same port, that can be killed, frozen and brought back.
import { execFile } from 'node:child_process';
import { chown, copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { openDataSource, operatorOptions } from '../../../src/platform/database/data-source.js';
import { prepareDirectory, chooseHome, type Home } from '../../../src/demo/embedded-postgres/home.js';
import { initialise, SUPERUSER } from '../../../src/demo/embedded-postgres/server.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { execute, query } from '../../support/database.js';
import type { Certificate } from './certificates.js';
import { Child } from './child.js';
import { temporaryFolder } from './folder.js';
import { freePort } from './ports.js';
import { stage } from './stage.js';
import { until } from './until.js';

const run = promisify(execFile);
const DATABASE = 'tanks';

export class OwnPostgres {
  private server: Child;

  private constructor(
    private readonly folder: string,
    private readonly home: Home,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly maintenanceUrl: string,
    /** As the superuser, to a migrated database. */
    readonly url: string,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<OwnPostgres> {
    const postgres = await OwnPostgres.startEmpty(settings);
    await migrateAt(postgres.url);
    return postgres;
  }

  static async startEmpty(settings: Readonly<Record<string, string>> = {}): Promise<OwnPostgres> {
    const folder = await temporaryFolder();
    const home = await chooseHome(await prepareDirectory(join(folder, 'postgres')));
    const password = await initialise(home, false);
    const port = await freePort();
    const url = (database: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
    const fixed = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
    };
    const postgres = stage.add(
      new OwnPostgres(folder, home, { ...settings, ...fixed }, url('postgres'), url(DATABASE)),
    );
    await postgres.bringUp();
    await execute(postgres.maintenanceUrl, `create database ${DATABASE}`);
    return postgres;
  }

  /** Starts the server and returns when it lets clients in. */
  async bringUp(): Promise<void> {
    const { PATH, LD_LIBRARY_PATH } = process.env;
    this.server = new Child({
      command: this.home.binaries.postgres,
      args: serverArguments(join(this.home.directory, 'data'), this.settings),
      environment: { PATH, LD_LIBRARY_PATH, LC_ALL: 'C' },
      folder: this.folder,
      cwd: this.home.directory,
      ...this.home.user,
    });
    await this.server.until('PostgreSQL lets clients in', () => letsIn(this.maintenanceUrl));
  }

  /** As by a machine that loses its power: the server and all its backends, at once. */
  async kill(): Promise<void> {
    await this.freeze();
    const backends = await this.backends(); // asked now: the children of a dead server are nobody's
    this.server.signal('SIGKILL');
    signalAll(backends, 'SIGKILL');
    await this.server.ended;
    await until("the last of PostgreSQL's processes is gone", async () => {
      const alive = new Set((await runningProcesses()).map(({ pid }) => pid));
      return !backends.some((pid) => alive.has(pid));
    });
  }

  /** Connections stay open and the system goes on accepting new ones, but nobody answers. */
  async freeze(): Promise<void> {
    this.server.signal('SIGSTOP'); // the server first: from then on it starts no backend that would be missed
    signalAll(await this.backends(), 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    signalAll(await this.backends(), 'SIGCONT');
    this.server.signal('SIGCONT');
  }

  query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.url, sql, values);
  }

  /** Keeps the table from everyone else (or, shared, from those who write) until the returned function is called. */
  lock(table: string, mode?: 'access exclusive' | 'share'): Promise<() => Promise<void>> {
    return lockTable(this.url, table, mode);
  }

  /** Cuts the service's connections and returns how many there were. */
  async cutConnections(): Promise<number> {
    const cut = await this.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('tank-monitoring-api', 'tank-monitoring-ingest')",
    );
    return cut.length;
  }

  /** From its next connection on, the server shows this certificate; with none it speaks no TLS. */
  async show(certificate: Certificate | undefined): Promise<void> {
    const { directory, user } = this.home;
    if (certificate !== undefined) {
      const files = { 'server.crt': certificate.certificateFile, 'server.key': certificate.keyFile };
      for (const [name, from] of Object.entries(files)) {
        const file = join(directory, 'data', name);
        await copyFile(from, file);
        if (user !== undefined) await chown(file, user.uid, user.gid);
      }
    }
    await execute(this.maintenanceUrl, `alter system set ssl = ${certificate === undefined ? 'off' : 'on'}`);
    await execute(this.maintenanceUrl, 'select pg_reload_conf()');
  }

  log(): Promise<string> {
    return readFile(join(this.folder, 'stderr.log'), 'utf8');
  }

  async stop(): Promise<void> {
    if (this.server !== undefined && this.server.isRunning) {
      await this.thaw();
      this.server.signal('SIGINT'); // fast shutdown: sends clients away
      await this.server.stop();
    }
    await rm(this.home.directory, { recursive: true, force: true });
  }

  /** The server's processes beside the first. */
  private async backends(): Promise<number[]> {
    const children = (await runningProcesses()).filter(({ parent }) => parent === this.server.pid);
    return children.map(({ pid }) => pid);
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      continue; // it has ended by itself
    }
  }
}

/** But for those that are dead and merely not yet buried. */
async function runningProcesses(): Promise<{ pid: number; parent: number }[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = 'Z']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

export function serverArguments(data: string, settings: Readonly<Record<string, string>>): string[] {
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

export function letsIn(url: string): Promise<boolean> {
  return execute(url, 'select 1').then(
    () => true,
    () => false,
  );
}

export async function migrateAt(url: string): Promise<void> {
  const dataSource = await openDataSource(operatorOptions(url));
  await migrate(dataSource);
  await dataSource.destroy();
}

/** Until the returned function is called, or the spec ends. */
export function lockTable(
  url: string,
  table: string,
  mode = 'access exclusive',
): Promise<() => Promise<void>> {
  return hold(url, `lock table ${table} in ${mode} mode`);
}

/** What the statement locks, likewise. */
export async function hold(url: string, statement: string): Promise<() => Promise<void>> {
  const holder = new Client(url);
  holder.on('error', () => undefined); // its server may be killed under it
  await holder.connect();
  await holder.query(`begin; ${statement}`);
  stage.add({ stop: () => holder.end() });
  return () => holder.end();
}

/** Waits until so many statements of the service, or more, stand at a lock in this database: reads, unless another part is named. */
export async function waitForLocks(url: string, count: number, part = 'api'): Promise<void> {
  const waiting = `
    select from pg_stat_activity where datname = current_database()
    and application_name = 'tank-monitoring-${part}' and wait_event_type = 'Lock'`;
  await until(`${count} statements wait for a lock`, async () => (await query(url, waiting)).length >= count);
}
