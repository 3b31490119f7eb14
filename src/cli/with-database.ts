// The database a command works on: DATABASE_URL, or the embedded one when it is unset (also while a service runs on it).
// Every command says on stderr which one it is, so that nobody changes another than they think.
import { Option } from 'commander';
import type { DataSource } from 'typeorm';
import { loadConfig } from '../config/config.js';
import { withDataSource } from '../database/data-source.js';
import type { Operator } from './operator.js';
import { say } from './say.js';

type Work<T> = (dataSource: DataSource) => Promise<T>;
export type OperatorWork<T> = (operator: Operator) => Promise<T>;
type WorkAt<T> = (url: string) => Promise<T>;

export interface DemoChoice {
  readonly demo?: boolean;
}

/** Of every command that creates or changes something. */
export const demoOption = (): Option =>
  new Option('--demo', 'work on the embedded demo database, with NODE_ENV=production too');

/** For a command that only looks. */
export function readDatabase<T>(work: Work<T>): Promise<T> {
  return withDatabase(loadConfig().databaseUrl, (url) => withDataSource(url, work));
}

/** For a command that creates or changes something: in production, a forgotten DATABASE_URL is no reason to change the demo. */
export function changeDatabase<T>(choice: DemoChoice, work: Work<T>): Promise<T> {
  return changeDatabaseAt(choice, (url) => withDataSource(url, work));
}

/** For a command about keys or webhooks that only looks. */
export function readAsOperator<T>(work: OperatorWork<T>): Promise<T> {
  return withDatabase(loadConfig().databaseUrl, (url) => withOperator(url, work));
}

/** For one that changes them. */
export function changeAsOperator<T>(choice: DemoChoice, work: OperatorWork<T>): Promise<T> {
  return changeDatabaseAt(choice, (url) => withOperator(url, work));
}

/** The same, for one that makes its own connections. */
export async function changeDatabaseAt<T>({ demo = false }: DemoChoice, work: WorkAt<T>): Promise<T> {
  const { databaseUrl } = loadConfig();
  if (databaseUrl !== undefined && demo) {
    throw new Error(
      '--demo is for the embedded demo database, but DATABASE_URL is set. Leave one of them out.',
    );
  }
  if (databaseUrl === undefined && !demo && process.env['NODE_ENV'] === 'production') {
    throw new Error('DATABASE_URL is not set. Set it, or add --demo to work on the embedded demo database.');
  }
  return withDatabase(databaseUrl, work);
}

async function withDatabase<T>(databaseUrl: string | undefined, work: WorkAt<T>): Promise<T> {
  if (databaseUrl !== undefined) {
    say(`Database: ${withoutSecrets(databaseUrl)}`);
    return work(databaseUrl);
  }
  const { openDemoDatabase } = await import('../demo/demo-database.js');
  const embedded = await openDemoDatabase();
  say(`Database: embedded demo database in ${embedded.directory}`);
  try {
    return await work(embedded.url);
  } finally {
    await embedded.release();
  }
}

/** `host:port/database`. A URL may also name its host, a socket's folder say, among its parameters. */
function withoutSecrets(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? (host || 'localhost')}${pathname}`;
}

async function withOperator<T>(url: string, work: OperatorWork<T>): Promise<T> {
  const { openOperator } = await import('./operator.js');
  const operator = await openOperator(url);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}
