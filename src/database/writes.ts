// The one place readings, customers and tanks are written through. It does not try again by itself: when a connection is lost during a
// write, nobody knows whether it was committed.
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { asUnavailable, DatabaseUnavailable, mayNotWrite } from './failures.js';
import { NamedQuery, type Statement, type StatementValue } from './named-query.js';
import { takeClient, type Release } from './pool.js';

/** Runs one statement, which is one transaction, and returns its first row. */
export type Run = <Row extends QueryResultRow>(
  statement: Statement,
  values: readonly StatementValue[],
) => Promise<Row | undefined>;

export class Writes {
  constructor(private readonly pool: Pool) {}

  /** Runs one statement, which is one transaction: when this resolves, it is committed. */
  row<Row extends QueryResultRow>(statement: Statement, values: readonly StatementValue[]): Promise<Row> {
    return new Promise((resolve, reject) => {
      takeClient(
        this.pool,
        (client, release) => {
          const query = new NamedQuery(client, statement, values, (error, rows = []) => {
            release(error ?? undefined);
            const [row] = rows as Row[];
            if (error !== null) reject(asFailure(error));
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

/** Several statements on one connection, each a transaction of its own. After a failure the connection is closed in the end. */
export async function onOneConnection<T>(pool: Pool, work: (run: Run) => Promise<T>): Promise<T> {
  const [client, release] = await new Promise<[PoolClient, Release]>((taken, failed) =>
    takeClient(pool, (...both) => taken(both), failed),
  );
  let failure: Error | undefined;
  const run: Run = <Row extends QueryResultRow>(statement: Statement, values: readonly StatementValue[]) =>
    new Promise<Row | undefined>((resolve, reject) => {
      client.query(
        new NamedQuery(client, statement, values, (error, rows = []) => {
          failure ??= error ?? undefined;
          if (error === null) resolve((rows as Row[])[0]);
          else reject(asFailure(error));
        }),
      );
    });
  try {
    return await work(run);
  } finally {
    release(failure);
  }
}

function asFailure(error: Error): Error {
  if (!mayNotWrite(error)) return asUnavailable(error);
  return new DatabaseUnavailable(
    error,
    `This database, or this role, may not write: see docs/least-privilege.sql, or set INGEST=false. ${error.message}`,
  );
}
