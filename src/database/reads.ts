// The one place reads go through: a named statement, prepared once per connection, on a connection to read from.
// It bounds how many may wait, tries a read again when its connection was lost, and says so when the database cannot serve.
import type { Pool, QueryResultRow } from 'pg';
import { asUnavailable, DatabaseOverloaded, lostItsConnection } from './failures.js';
import { NamedQuery, type Statement, type StatementValue } from './named-query.js';
import { takeClient } from './pool.js';

export type { Statement } from './named-query.js';

const MAX_ATTEMPTS = 3;

/** Reads of which none may come from a copy that lacks something: those of keys. */
export const FRESH_READS = Symbol('reads that are never old');

export class Reads {
  constructor(
    private readonly pool: Pool,
    private readonly maxWaiting: number,
  ) {}

  /** Written without async functions: each would cost a small read about as much as its row does. */
  rows<Row extends QueryResultRow>(statement: Statement, values: readonly StatementValue[]): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      if (this.pool.waitingCount > this.maxWaiting) throw new DatabaseOverloaded();
      const tryIt = (attempt: number): void =>
        this.run(statement, values, (error, rows) => {
          // Nothing was answered yet. Others may have been cut in the same moment, so one more try may meet another of them.
          if (error === null) resolve(rows as Row[]);
          else if (attempt < MAX_ATTEMPTS && lostItsConnection(error)) tryIt(attempt + 1);
          else reject(asUnavailable(error));
        });
      tryIt(1);
    });
  }

  async firstRow<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly StatementValue[],
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0];
  }

  private run(
    statement: Statement,
    values: readonly StatementValue[],
    done: (error: Error | null, rows: QueryResultRow[]) => void,
  ): void {
    takeClient(
      this.pool,
      (client, release) => {
        const query = new NamedQuery(client, statement, values, (error, rows) => {
          release(error ?? undefined); // a connection on which anything failed is closed
          done(error, rows);
        });
        client.query(query);
      },
      (noConnection) => done(noConnection, []),
    );
  }
}
