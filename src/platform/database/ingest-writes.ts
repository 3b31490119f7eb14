// The one place readings and uplinks are written through. It does not try again by itself: when a connection is lost during a write,
// nobody knows whether it was committed.
import type { Pool, QueryResultRow } from 'pg';
import { asWriteFailure } from './failures.js';
import { NamedQuery, type Statement, type StatementValue } from './named-query.js';
import { takeClient } from './pool.js';
import { currentSpan } from '../tracing/tracing.js';

export class IngestWrites {
  constructor(private readonly pool: Pool) {}

  /** Runs one statement, which is one transaction: when this resolves, it is committed. */
  row<Row extends QueryResultRow>(statement: Statement, values: readonly StatementValue[]): Promise<Row> {
    const span = currentSpan();
    const started = performance.now();
    return new Promise((resolve, reject) => {
      takeClient(
        this.pool,
        (client, release) => {
          const query = new NamedQuery(client, statement, values, (error, rows = []) => {
            release(error ?? undefined);
            span?.addStatement(statement.name, started, error !== null);
            const [row] = rows as Row[];
            if (error !== null) reject(asWriteFailure(error));
            else if (row === undefined) reject(new Error(`${statement.name} gave no row.`));
            else resolve(row);
          });
          client.query(query);
        },
        reject,
      );
    });
  }
}
