// How connections are made, for everybody: TypeORM's data source (in the service, the command line, the tests and TypeORM's own
// tooling) and the pools of the service.
import { types, type CustomTypesConfig, type PoolConfig } from 'pg';
import { DataSource, QueryFailedError, TypeORMError, type DataSourceOptions } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Config } from '../config/config.js';
import { takeCertificates } from './certificates.js';
import { DatabaseUnavailable, explainUnreachable } from './failures.js';
import { migrations } from '../schema/migrations/index.js';
import { SessionClient, Sessions, UnfitSession } from './session.js';

/** Background work and deliveries go in short steps, so that they can share few. */
const WORKER_CONNECTIONS = 2;

/** A server that takes longer to say how far it has come counts as gone. */
const WATCH_PATIENCE_MS = 2_000;

/** Plans are made once. For a server that refuses this, a URL's own `options` may name another `plan_cache_mode`. */
const PLAN_CACHE_MODE = 'force_generic_plan';

/** Timestamps stay the text PostgreSQL sends (a Date per cell costs more than the rest of the row); counts are numbers. */
const ROW_TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === types.builtins.TIMESTAMPTZ) return (value: string) => value;
    if (oid === types.builtins.INT8) return Number;
    return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text');
  },
};

/** Says what an operator should change, once. */
type Tell = (facts: object, message: string) => void;

/** For the operator's commands: may write, may take as long as it needs. */
export function operatorOptions(databaseUrl: string): PostgresDataSourceOptions {
  const { connectionString, ...extra } = withSettings(databaseUrl, {}, {});
  return {
    type: 'postgres',
    url: connectionString,
    migrations,
    migrationsTransactionMode: 'each',
    synchronize: false,
    applicationName: 'tank-monitoring-cli',
    extra,
  };
}

/** For TypeORM in the API: one connection, with which the server is tried at the start. Reads have a pool of their own. */
export function serviceOptions(databaseUrl: string, config: Config, tell?: Tell): PostgresDataSourceOptions {
  const { connectionString, ...extra } = readPoolOptions(databaseUrl, config, tell);
  return {
    ...operatorOptions(databaseUrl),
    url: connectionString,
    poolErrorHandler: () => undefined, // an idle connection that broke is replaced by the pool; nobody waited for it
    extra: { ...extra, max: 1, idleTimeoutMillis: 1_000 },
  };
}

/** For the API: sessions are read-only at the database, and every wait is bounded. */
export function readPoolOptions(databaseUrl: string, { database }: Config, tell?: Tell): NamedPool {
  const { poolSize, acquireTimeoutMs, statementTimeoutMs, lockTimeoutMs } = database;
  return withSettings(
    databaseUrl,
    {
      default_transaction_read_only: 'on',
      statement_timeout: String(statementTimeoutMs),
      lock_timeout: String(lockTimeoutMs),
      idle_in_transaction_session_timeout: String(statementTimeoutMs),
      plan_cache_mode: PLAN_CACHE_MODE,
    },
    {
      application_name: 'tank-monitoring-api',
      max: poolSize,
      connectionTimeoutMillis: acquireTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      // The server ends a statement first; this ends a read whose server has stopped answering at all.
      query_timeout: statementTimeoutMs + 500,
      types: ROW_TYPES,
    },
    tell,
  );
}

/** For looks at how far a server has come: one connection like those of its reads. */
export function watchPoolOptions(readPool: NamedPool): NamedPool {
  return {
    ...readPool,
    application_name: 'tank-monitoring-watch',
    max: 1,
    connectionTimeoutMillis: WATCH_PATIENCE_MS,
    query_timeout: WATCH_PATIENCE_MS,
  };
}

/** For the readings that come in: sessions may write, and wait longer than a read would. */
export function writePoolOptions(databaseUrl: string, { database, ingest }: Config, tell?: Tell): NamedPool {
  return withSettings(
    databaseUrl,
    {
      statement_timeout: String(ingest.statementTimeoutMs),
      lock_timeout: String(ingest.lockTimeoutMs),
      idle_in_transaction_session_timeout: String(ingest.statementTimeoutMs),
      plan_cache_mode: PLAN_CACHE_MODE,
    },
    {
      application_name: 'tank-monitoring-ingest',
      max: ingest.poolSize,
      connectionTimeoutMillis: database.acquireTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      query_timeout: ingest.statementTimeoutMs + 500,
    },
    tell,
  );
}

/** For the background work: few sessions, and a server that stops answering is noticed. */
export function workerPoolOptions(databaseUrl: string, config: Config, tell?: Tell): NamedPool {
  return {
    ...writePoolOptions(databaseUrl, config, tell),
    application_name: 'tank-monitoring-worker',
    max: WORKER_CONNECTIONS,
  };
}

/** Nest hands TypeORM's options over as those of any kind of database. */
export function asPostgres(options: DataSourceOptions | undefined): PostgresDataSourceOptions {
  if (options?.type !== 'postgres') throw new Error('The database is a PostgreSQL one.');
  return options;
}

export async function openDataSource(options: PostgresDataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    if (isAboutEntities(error)) throw error;
    throw asUnreachable(options.url ?? '', error);
  }
}

/** For an operator's work: closed when it is done. */
export async function withDataSource<T>(
  url: string,
  work: (dataSource: DataSource) => Promise<T>,
  entities: (new () => object)[] = [],
): Promise<T> {
  const dataSource = await openDataSource({ ...operatorOptions(url), entities });
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Why there is no connection, as an operator can use it. */
export function asUnreachable(url: string, error: unknown): DatabaseUnavailable {
  const message = error instanceof UnfitSession ? error.message : explainUnreachable(url, error);
  return new DatabaseUnavailable(error, message);
}

/** What TypeORM itself objects to is a defect of ours; whatever else it meets comes from the way to the database. */
function isAboutEntities(error: unknown): boolean {
  return error instanceof TypeORMError && !(error instanceof QueryFailedError);
}

type NamedPool = PoolConfig & { readonly connectionString: string };

/**
 * For pg's pool. A URL's own `options` would replace ours, the read-only default among them: both are kept, ours last,
 * but for the mode of plans.
 */
function withSettings(
  url: string,
  settings: Readonly<Record<string, string>>,
  pool: PoolConfig,
  tell: Tell = () => undefined,
): NamedPool {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options');
  parsed.searchParams.delete('options');
  const { plan_cache_mode: _, ...others } = settings;
  const ours = given?.includes('plan_cache_mode') ? others : settings;
  const asked = Object.entries(ours).map(([name, value]) => `-c ${name}=${value}`);
  const options = [...(given === null ? [] : [given]), ...asked].join(' ');
  const certificates = takeCertificates(parsed);
  const connection = {
    ...pool,
    connectionString: parsed.href,
    ...(options === '' ? {} : { options }),
    ...certificates,
  };
  const sessions = new Sessions(ours, connection, tell);
  // oxlint-disable-next-line typescript/no-misused-promises -- pg's pool waits for it; its types do not say so yet
  return { ...connection, Client: SessionClient, onConnect: (client) => sessions.check(client) };
}
