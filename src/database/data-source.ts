// The one set of DataSource options: the service, the command line, the tests and TypeORM's tooling all use it.
import { types, type CustomTypesConfig, type PoolConfig } from 'pg';
import { DataSource, QueryFailedError, TypeORMError } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Config } from '../config/config.js';
import { takeCertificates } from './certificates.js';
import { DatabaseUnavailable, explainUnreachable } from './failures.js';
import { GuardedClient } from './guarded-client.js';
import { migrations } from './migrations/index.js';

/** Every session speaks UTC and ISO dates, whatever the server's or the role's defaults: rows are read as text. */
const SESSION = { TimeZone: 'UTC', DateStyle: 'ISO', client_encoding: 'UTF8' };

/** Timestamps stay the text PostgreSQL sends (a Date per cell costs more than the rest of the row); counts are numbers. */
const ROW_TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === types.builtins.TIMESTAMPTZ) return (value: string) => value;
    if (oid === types.builtins.INT8) return Number;
    return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text');
  },
};

/** For the operator's commands: may write, may take as long as it needs. */
export function operatorOptions(databaseUrl: string): PostgresDataSourceOptions {
  const { url, ...extra } = withSettings(databaseUrl, SESSION);
  return {
    type: 'postgres',
    url,
    migrations,
    migrationsTransactionMode: 'each',
    synchronize: false,
    applicationName: 'tank-monitoring-cli',
    extra,
  };
}

/** For the API: sessions are read-only at the database, and every wait is bounded. */
export function serviceOptions(databaseUrl: string, config: Config): PostgresDataSourceOptions {
  const { poolSize, acquireTimeoutMs, statementTimeoutMs, lockTimeoutMs, planCacheMode } = config.database;
  const { url, ...extra } = withSettings(databaseUrl, {
    ...SESSION,
    default_transaction_read_only: 'on',
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs),
    idle_in_transaction_session_timeout: String(statementTimeoutMs),
    plan_cache_mode: planCacheMode,
  });
  return {
    ...operatorOptions(databaseUrl),
    url,
    applicationName: 'tank-monitoring-api',
    poolErrorHandler: () => undefined, // an idle connection that broke is replaced by the pool; nobody waited for it
    extra: {
      ...extra,
      max: poolSize,
      connectionTimeoutMillis: acquireTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      // The server ends a statement first; this ends a read whose server has stopped answering at all.
      query_timeout: statementTimeoutMs + 500,
      types: ROW_TYPES,
    },
  };
}

/** For the readings that come in: sessions may write, and wait longer than a read would. */
export function writePoolOptions(databaseUrl: string, { database, ingest }: Config): PoolConfig {
  const { url, ...extra } = withSettings(databaseUrl, {
    ...SESSION,
    statement_timeout: String(ingest.statementTimeoutMs),
    lock_timeout: String(ingest.lockTimeoutMs),
    idle_in_transaction_session_timeout: String(ingest.statementTimeoutMs),
    plan_cache_mode: database.planCacheMode,
  });
  return {
    ...extra,
    connectionString: url,
    application_name: 'tank-monitoring-ingest',
    max: ingest.poolSize,
    connectionTimeoutMillis: database.acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: ingest.statementTimeoutMs + 500,
  };
}

export async function openDataSource(options: PostgresDataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    if (isAboutEntities(error)) throw error;
    throw new DatabaseUnavailable(error, explainUnreachable(options.url ?? '', error));
  }
}

/** What TypeORM itself objects to is a defect of ours; whatever else it meets comes from the way to the database. */
function isAboutEntities(error: unknown): boolean {
  return error instanceof TypeORMError && !(error instanceof QueryFailedError);
}

/**
 * For pg's pool. A URL's own `options` would replace ours, the read-only default among them: both are kept, ours last.
 */
function withSettings(
  url: string,
  settings: Record<string, string>,
): { url: string; options: string; Client: typeof GuardedClient } {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options');
  parsed.searchParams.delete('options');
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const certificates = takeCertificates(parsed);
  return {
    url: parsed.href,
    options: (given === null ? options : [given, ...options]).join(' '),
    Client: GuardedClient,
    ...certificates,
  };
}
