// Changes of customers, tanks, sensors, profiles and webhook endpoints: transactions of TypeORM, with entities and row locks, on few connections of their own,
// so that those which wait for a lock hold up no reading.
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { currentSpan, type Span } from '../tracing/tracing.js';
import { asWriteFailure, DatabaseUnavailable, findCode, isDeadlock } from './failures.js';

/** Deadlock, serialization failure, duplicate key, missing reference: the transaction was rolled back and can be retried. */
const BEGIN_ANEW: ReadonlySet<string> = new Set(['40P01', '40001', '23505', '23503']);
const MAX_ATTEMPTS = 5;
/** Before the second attempt, and twice as long before each further one: up to 150 ms in all, on no connection. */
const FIRST_PAUSE_MS = 10;

@Injectable()
export class Transactions {
  private opening: Promise<unknown> | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** When this resolves, it is committed. */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const span = currentSpan();
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (this.opening !== undefined || !this.dataSource.isInitialized) await this.open();
        return await this.dataSource.transaction((manager) => {
          span?.addDatabaseTime(started); // it has waited for a connection
          noteStatements(manager, span);
          return work(manager);
        });
      } catch (error) {
        if (!BEGIN_ANEW.has(findCode(error))) throw asFailure(error);
        if (attempt === MAX_ATTEMPTS)
          throw isDeadlock(error) ? new DatabaseUnavailable(error) : asFailure(error);
      } finally {
        span?.addDatabaseTime(started);
      }
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)); // not all at once
    }
  }

  /** With the first change: a service that only reads, or whose primary is away, needs none of it. */
  private open(): Promise<unknown> {
    this.opening ??= this.dataSource.initialize().finally(() => (this.opening = undefined));
    return this.opening;
  }
}

/** TypeORM makes a query runner for each transaction, so what is changed here ends with it. */
function noteStatements({ queryRunner }: EntityManager, span: Span | undefined): void {
  if (queryRunner === undefined || span === undefined) return;
  const query = queryRunner.query.bind(queryRunner) as (
    text: string,
    ...others: unknown[]
  ) => Promise<unknown>;
  const noted = async (text: string, ...others: unknown[]): Promise<unknown> => {
    const started = performance.now();
    let hasFailed = true;
    try {
      const result = await query(text, ...others);
      hasFailed = false;
      return result;
    } finally {
      span.addStatement(nameStatement(text), started, hasFailed);
    }
  };
  Object.assign(queryRunner, { query: noted });
}

const BEFORE_TABLE: ReadonlySet<string> = new Set(['from', 'into', 'update', 'table']);

/** These have no names: the first word and the table, or the word that follows, as "update tanks". */
function nameStatement(text: string): string {
  const [verb = '', ...others] = text.split(/\W/).filter((word) => word !== '');
  const words = [verb.toLowerCase(), ...others];
  const table = words.findIndex((word) => BEFORE_TABLE.has(word.toLowerCase())) + 1;
  return [words[0], words[table === 0 ? 1 : table]].filter((word) => word !== undefined).join(' ');
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof Error) || 'status' in error) return error; // a problem, which the work has thrown
  return asWriteFailure(error instanceof QueryFailedError ? error.driverError : error);
}
