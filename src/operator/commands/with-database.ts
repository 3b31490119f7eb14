// The database a command works on: DATABASE_URL, or the embedded one when it is unset (also while a service runs on it).
// Every command prints on stderr which one it is.
import { Option } from 'commander';
import type { DataSource } from 'typeorm';
import { loadConfig } from '../../platform/config/config.js';
import { withDataSource } from '../../platform/database/data-source.js';
import { findCode } from '../../platform/database/failures.js';
import type { Operator } from './operator.js';
import { say } from './command.js';

export interface DemoChoice {
  readonly demo?: boolean;
}

/** Of every command that creates or changes something. */
export const demoOption = (): Option =>
  new Option('--demo', 'work on the embedded demo database, with NODE_ENV=production too');

/** Whether a command only reads, or changes something. */
type Access = 'read' | DemoChoice;

export function withDatabase<T>(access: Access, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  return withDatabaseUrl(access, (url) => withDataSource(url, work));
}

/** For a command that uses the services of the API. `words`: what it says instead of a problem of theirs, by its code. */
export async function withOperator<T>(
  access: Access,
  work: (operator: Operator) => Promise<T>,
  words: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    return await withDatabaseUrl(access, async (url) => {
      const { actAsOperator } = await import('./operator.js');
      return actAsOperator(url, work);
    });
  } catch (error) {
    const message = words[findCode(error)];
    throw message === undefined ? error : new Error(message, { cause: error });
  }
}

/** For a command that makes its own connections. */
export async function withDatabaseUrl<T>(access: Access, work: (url: string) => Promise<T>): Promise<T> {
  const { databaseUrl } = loadConfig();
  if (access !== 'read') assertIntended(databaseUrl, access);
  if (databaseUrl !== undefined) {
    say(`Database: ${withoutSecrets(databaseUrl)}`);
    return work(databaseUrl);
  }
  const { openDemoDatabase } = await import('../../demo/embedded-postgres/embedded-postgres.js');
  const embedded = await openDemoDatabase();
  say(`Database: embedded demo database in ${embedded.directory}`);
  try {
    return await work(embedded.url);
  } finally {
    await embedded.release();
  }
}

/** In production, a missing DATABASE_URL is a mistake. */
function assertIntended(databaseUrl: string | undefined, { demo = false }: DemoChoice): void {
  if (databaseUrl !== undefined && demo) {
    throw new Error(
      '--demo is for the embedded demo database, but DATABASE_URL is set. Leave one of them out.',
    );
  }
  if (databaseUrl === undefined && !demo && process.env['NODE_ENV'] === 'production') {
    throw new Error('DATABASE_URL is not set. Set it, or add --demo to work on the embedded demo database.');
  }
}

/** `host:port/database`. The host may also be a parameter of the URL, as a socket's folder is. */
function withoutSecrets(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? (host || 'localhost')}${pathname}`;
}
