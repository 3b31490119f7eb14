// A database of one's own for each spec file: a copy of the migrated template that the global setup made.
import { randomBytes } from 'node:crypto';
import { Client, Pool, type PoolConfig, type QueryResultRow } from 'pg';

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

/** Migrated and empty. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(testServer().template);
}

/** Without any table. */
export function createBareDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

/** Names are random, so workers and runs side by side do not collide. */
async function createDatabase(template: string): Promise<TestDatabase> {
  const server = testServer();
  const name = `${server.template}_${randomBytes(6).toString('hex')}`;
  await execute(server.url, `create database ${name} template ${template}`);
  return {
    url: databaseUrl(server.url, name),
    drop: () => execute(server.url, `drop database if exists ${name} with (force)`),
  };
}

/** A spec that failed early may not have dropped its own. */
export async function dropDatabasesOf({ url, template }: TestServer): Promise<void> {
  const left = await query<{ name: string }>(
    url,
    'select datname as name from pg_database where starts_with(datname, $1)',
    [template],
  );
  for (const { name } of left) await execute(url, `drop database if exists ${name} with (force)`);
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
  const pool = new Pool({ connectionString: url, ...config });
  pool.on('error', () => undefined);
  return pool;
}
