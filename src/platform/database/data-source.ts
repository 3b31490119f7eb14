// How connections are made, for everybody: TypeORM's data source (in the service, the command line, the tests and TypeORM's own
// tooling) and the pools of the service.
import { defaults, types, type ClientBase, type CustomTypesConfig, type PoolConfig } from 'pg';
import { DataSource, QueryFailedError, TypeORMError } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { migrations } from '../schema/migrations/index.js';
import { takeCertificates } from './certificates.js';
import { asUnreachable } from './failures.js';
import { listenForLoss } from './pool.js';
import { LANGUAGE, Sessions } from './session.js';

/** Background work goes in short steps, so that it can share few: so many for what has to be quick, and for what may take long. */
const WORKER_CONNECTIONS = 2;

/** Each connection runs one write transaction at a time. */
export const MANAGE_CONNECTIONS = 3;

/** A server that takes longer to report its position counts as gone. */
const WATCH_TIMEOUT_MS = 2_000;

/** Timestamps stay the text PostgreSQL sends (a Date per cell costs more than the rest of the row); counts are numbers. */
const ROW_TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === types.builtins.TIMESTAMPTZ) return (value: string) => value;
    if (oid === types.builtins.INT8) return Number;
    return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text');
  },
};

/** By local time a date of long ago, when clocks showed that of the sun, would be some seconds off. */
defaults.parseInputDatesAsUTC = true;

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

/** For the API: sessions are read-only at the database. */
export function readPoolOptions(url: string, { database }: Config, logger?: Logger): NamedPool {
  const settings = { default_transaction_read_only: 'on' };
  return { ...boundedPool(url, 'tank-monitoring-api', database, settings, logger), types: ROW_TYPES };
}

/** To ask a server for its position: one connection like those of its reads. */
export function watchPoolOptions(readPool: NamedPool): NamedPool {
  return {
    ...readPool,
    application_name: 'tank-monitoring-watch',
    max: 1,
    connectionTimeoutMillis: WATCH_TIMEOUT_MS,
    query_timeout: WATCH_TIMEOUT_MS,
  };
}

/** For the readings that come in: sessions may write, and wait longer than a read would. */
export function writePoolOptions(url: string, { database, ingest }: Config, logger?: Logger): NamedPool {
  const { acquireTimeoutMs } = database;
  return boundedPool(url, 'tank-monitoring-ingest', { ...ingest, acquireTimeoutMs }, {}, logger);
}

/** For TypeORM in the API: changes of customers, tanks, sensors and profiles. */
export function manageOptions(url: string, config: Config, logger?: Logger): PostgresDataSourceOptions {
  const { connectionString, ...extra } = writePoolOptions(url, config, logger);
  return {
    type: 'postgres',
    url: connectionString,
    poolErrorHandler: () => undefined, // an idle connection that broke is replaced by the pool; nobody waited for it
    extra: { ...extra, application_name: 'tank-monitoring-manage', max: MANAGE_CONNECTIONS },
  };
}

/** For the background work: few sessions, and a server that stops answering is noticed. */
export function workerPoolOptions(
  url: string,
  config: Config,
  logger?: Logger,
  name: 'worker' | 'long-work' = 'worker',
): NamedPool {
  return {
    ...writePoolOptions(url, config, logger),
    application_name: `tank-monitoring-${name}`,
    max: WORKER_CONNECTIONS,
  };
}

/** For messages of MQTT, one after the other, and the lease: short waits, since the broker waits, too. */
export function mqttPoolOptions(url: string, logger?: Logger): NamedPool {
  const bounds = { poolSize: 3, acquireTimeoutMs: 4_000, statementTimeoutMs: 8_000, lockTimeoutMs: 5_000 };
  return { ...boundedPool(url, 'tank-monitoring-mqtt', bounds, {}, logger), types: ROW_TYPES };
}

export async function openDataSource(options: PostgresDataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    // What TypeORM itself objects to is a defect of ours; whatever else it meets comes from the way to the database.
    if (error instanceof TypeORMError && !(error instanceof QueryFailedError)) throw error;
    throw asUnreachable(options.url ?? '', error);
  }
}

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

type NamedPool = PoolConfig & { readonly connectionString: string };

/** Every wait is bounded. */
function boundedPool(
  url: string,
  name: string,
  bounds: Config['database'],
  settings: Readonly<Record<string, string>>,
  logger: Logger | undefined,
): NamedPool {
  const { poolSize, acquireTimeoutMs, statementTimeoutMs, lockTimeoutMs } = bounds;
  return withSettings(
    url,
    {
      ...settings,
      statement_timeout: String(statementTimeoutMs),
      lock_timeout: String(lockTimeoutMs),
      idle_in_transaction_session_timeout: String(statementTimeoutMs),
      plan_cache_mode: 'force_generic_plan', // plans are made once
    },
    {
      application_name: name,
      max: poolSize,
      connectionTimeoutMillis: acquireTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      // The server ends a statement first; this ends one whose server has stopped answering at all.
      query_timeout: statementTimeoutMs + 500,
    },
    logger,
  );
}

/** A URL's own `options` would replace ours: both are kept, ours last, except for a `plan_cache_mode` that the URL sets. */
function withSettings(
  url: string,
  settings: Readonly<Record<string, string>>,
  pool: PoolConfig,
  logger?: Logger,
): NamedPool {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options');
  parsed.searchParams.delete('options');
  const { plan_cache_mode: _, ...others } = settings;
  const ours = { ...LANGUAGE, ...(given?.includes('plan_cache_mode') ? others : settings) };
  const wanted = Object.entries(ours).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`,
  );
  const options = [...(given === null ? [] : [given]), ...wanted].join(' ');
  const certificates = takeCertificates(parsed);
  const connection = { ...pool, connectionString: parsed.href, options, ...certificates };
  const sessions = new Sessions(ours, connection, logger);
  const onConnect = (client: ClientBase): Promise<void> => {
    listenForLoss(client);
    return sessions.check(client);
  };
  // oxlint-disable-next-line typescript/no-misused-promises -- pg's pool waits for it; its types do not say so yet
  return { ...connection, onConnect };
}
