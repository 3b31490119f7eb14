// Changes of customers, tanks, sensors, profiles and webhook endpoints: transactions of TypeORM, with entities and row locks, on few connections of their own,
// so that those which wait for a lock hold up no reading.
import type { OnApplicationShutdown } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { asWriteFailure, codeOf, DatabaseOverloaded } from './failures.js';

/** Deadlock, serialization failure, duplicate key, missing reference: the transaction was rolled back and can be retried. */
const BEGIN_ANEW: ReadonlySet<string> = new Set(['40P01', '40001', '23505', '23503']);
const MAX_ATTEMPTS = 20;

export class Transactions implements OnApplicationShutdown {
  private opening: Promise<DataSource> | undefined;

  constructor(private readonly options: () => PostgresDataSourceOptions) {}

  /** When this resolves, it is committed. */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      try {
        return await (await this.open()).transaction(work);
      } catch (error) {
        if (!BEGIN_ANEW.has(codeOf(error))) throw asFailure(error);
      }
    }
    throw new DatabaseOverloaded();
  }

  async onApplicationShutdown(): Promise<void> {
    const dataSource = await this.opening?.catch(() => undefined);
    await dataSource?.destroy();
  }

  /** With the first change: a service that only reads, or whose primary is away, needs none of it. */
  protected open(): Promise<DataSource> {
    this.opening ??= new DataSource(this.options()).initialize();
    this.opening.catch(() => (this.opening = undefined));
    return this.opening;
  }
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof Error) || 'status' in error) return error; // a problem, which the work has thrown
  return asWriteFailure(error instanceof QueryFailedError ? error.driverError : error);
}
