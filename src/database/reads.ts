// The one place reads go through: a named statement, prepared once per connection, on a connection to read from.
// It bounds how many may wait, tries a read again when its connection was lost, and says 503 when the database cannot serve.
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { databaseUnavailable, overloaded } from '../problems/problem.js';
import { isUnavailable, lostItsConnection } from './failures.js';
import { poolOf } from './pool.js';

export interface Statement {
  /** Unique in the service; statements are prepared under it. */
  readonly name: string;
  readonly text: string;
}

const MAX_ATTEMPTS = 3;

@Injectable()
export class Reads {
  private readonly pool: Pool;
  private readonly maxWaiting: number;

  constructor(@InjectDataSource() dataSource: DataSource, @Inject(CONFIG) config: Config) {
    this.pool = poolOf(dataSource);
    this.maxWaiting = config.limits.maxWaitingRequests;
  }

  async rows<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
    if (this.pool.waitingCount > this.maxWaiting) throw overloaded();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.run<Row>(statement, values);
      } catch (error) {
        // Nothing was answered yet. Others may have been cut in the same moment, so one more try may meet another of them.
        if (attempt === MAX_ATTEMPTS || !lostItsConnection(error)) throw asProblem(error);
      }
    }
  }

  async firstRow<Row extends QueryResultRow>(
    statement: Statement,
    values: unknown[],
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0];
  }

  private async run<Row extends QueryResultRow>(
    { name, text }: Statement,
    values: unknown[],
  ): Promise<Row[]> {
    return (await this.pool.query<Row>({ name, text, values })).rows;
  }
}

function asProblem(error: unknown): unknown {
  return isUnavailable(error) ? databaseUnavailable(error) : error;
}
