// The databases of a run: copies of the migrated template that the global setup made.
import { randomBytes } from 'node:crypto';
import { Client, DatabaseError, Pool, type PoolConfig, type QueryResultRow } from 'pg';

/** What the global setup tells the workers, by their environment. */
export interface TestServer {
  /** The maintenance database of the run's PostgreSQL. */
  readonly url: string;
  /** The migrated template's name; every database of this run starts with it. */
  readonly template: string;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** How the service and the command line reach the test's databases, where that is not the test's own way. */
export interface Detour {
  /** Of a pooler. */
  readonly poolerPort?: number;
  /** Of standbys that reads go to. */
  readonly standbyPorts?: readonly number[];
}

const DETOUR_VARIABLE = 'TANK_TEST_DETOUR';

/** On a cluster the run's server is the coordinator; these are the maintenance databases of its workers. */
const WORKERS_VARIABLE = 'TEST_WORKER_URLS';

const URL_VARIABLE = 'TANK_TEST_SERVER_URL';
const TEMPLATE_VARIABLE = 'TANK_TEST_TEMPLATE';

export function announceTestServer({ url, template }: TestServer): void {
  process.env[URL_VARIABLE] = url;
  process.env[TEMPLATE_VARIABLE] = template;
}

/** For the environment of a run of its own. */
export function announcedDetour(detour: Detour): Record<string, string> {
  return { [DETOUR_VARIABLE]: JSON.stringify(detour) };
}

/** The variables by which the service is told where its database is. */
export function wayTo(testUrl: string): { DATABASE_URL: string; DATABASE_READ_URLS: string } {
  const { poolerPort, standbyPorts = [] } = JSON.parse(process.env[DETOUR_VARIABLE] ?? '{}') as Detour;
  const at = (port: number): string => {
    const url = new URL(testUrl);
    url.port = String(port);
    return url.href;
  };
  return {
    DATABASE_URL: poolerPort === undefined ? testUrl : at(poolerPort),
    DATABASE_READ_URLS: standbyPorts.map(at).join(','),
  };
}

export function testServer(): TestServer {
  const url = process.env[URL_VARIABLE];
  const template = process.env[TEMPLATE_VARIABLE];
  if (url === undefined || template === undefined) throw new Error("Jest's global setup did not run.");
  return { url, template };
}

export function workerUrls(): string[] {
  return (process.env[WORKERS_VARIABLE] ?? '').split(',').filter(Boolean);
}

/** Migrated and empty. */
export function copyTemplate(): Promise<TestDatabase> {
  return createDatabase(testServer().template, workerUrls());
}

/** Without any table. */
export function createBareDatabase(): Promise<TestDatabase> {
  return createDatabase('template0', []);
}

/** Names are random, so workers and runs side by side do not collide. */
async function createDatabase(template: string, workers: readonly string[]): Promise<TestDatabase> {
  const server = testServer();
  const name = `${server.template}_${randomBytes(6).toString('hex')}`;
  const nodes = [server.url, ...workers];
  for (const node of nodes) await execute(node, `create database ${name} template ${template}`);
  await copySettings(server.url, template, name);
  return {
    url: databaseUrl(server.url, name),
    drop: async () => {
      for (const node of nodes) await dropDatabase(node, name);
    },
  };
}

/** A copy of a database does not have its settings. */
async function copySettings(url: string, template: string, name: string): Promise<void> {
  const settings = await query<{ name: string; value: string }>(
    url,
    `select split_part(setting, '=', 1) as name, split_part(setting, '=', 2) as value
     from pg_db_role_setting join pg_database on pg_database.oid = setdatabase, unnest(setconfig) setting
     where datname = $1 and setrole = 0`,
    [template],
  );
  for (const setting of settings) {
    await execute(url, `alter database ${name} set ${setting.name} = ${setting.value}`);
  }
}

/** A spec that failed early may not have dropped its own. */
export async function dropDatabasesOf({ url, template }: TestServer): Promise<void> {
  for (const node of [url, ...workerUrls()]) {
    const left = await query<{ name: string }>(
      node,
      'select datname as name from pg_database where starts_with(datname, $1)',
      [template],
    );
    for (const { name } of left) await dropDatabase(node, name);
  }
}

const IN_USE = '55006'; // SQLSTATE

/** On a cluster, nodes and Citus' own process may connect in the very moment: then once more. */
async function dropDatabase(url: string, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await execute(url, `drop database if exists ${name} with (force)`);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== IN_USE || tries === 10) throw error;
    }
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on a connection of its own and gives its rows. */
export async function query<Row extends QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client(url);
  client.on('error', () => undefined); // the statement fails, which tells enough
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export async function execute(url: string, sql: string, values: unknown[] = []): Promise<void> {
  await query(url, sql, values);
}

/**
 * A pool for a spec's own statements. Its end() does not wait for the connections to be closed, so the one who drops the
 * database may still cut some of them: that is nobody's failure.
 */
export function openPool(url: string, config: PoolConfig = {}): Pool {
  const pool = new Pool({ connectionString: url, options: '-c TimeZone=UTC', ...config });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * A cluster: a database of the same name on every node. Nodes connect to the database that has the name of their own, so copies
 * of all of them are a cluster of their own.
 */
export interface CitusNodes {
  /** Maintenance databases. */
  readonly coordinator: string;
  readonly workers: readonly string[];
}

const all = ({ coordinator, workers }: CitusNodes): string[] => [coordinator, ...workers];

/** Without a table. */
export async function createCitusDatabase(nodes: CitusNodes, name: string): Promise<void> {
  for (const node of all(nodes)) await execute(node, `create database ${name}`);
  await joinNodes(nodes, name);
}

/** Makes databases of one name know each other. */
export async function joinNodes(nodes: CitusNodes, name: string): Promise<void> {
  for (const node of all(nodes)) await execute(databaseUrl(node, name), 'create extension citus');
  const url = databaseUrl(nodes.coordinator, name);
  await execute(url, 'select citus_set_coordinator_host($1, $2)', addressOf(nodes.coordinator));
  for (const worker of nodes.workers) await execute(url, 'select citus_add_node($1, $2)', addressOf(worker));
}

function addressOf(url: string): [host: string, port: number] {
  const { hostname, port } = new URL(url);
  return [hostname, Number(port)];
}

/** Sends everybody away, Citus' own process too, and lets nobody in: only so it can be copied. */
export async function makeTemplate(nodes: CitusNodes, name: string): Promise<void> {
  for (const node of all(nodes)) {
    await execute(node, `alter database ${name} allow_connections false`);
    await execute(node, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  }
}
