// Rows that would take too much memory at once: read part by part, and those of a page as often as needed, all from one snapshot.
import type { ClientBase, Pool, PoolClient, QueryResultRow } from 'pg';
import { asUnavailable, DatabaseOverloaded } from './failures.js';
import type { Statement, StatementValue } from './named-query.js';
import { withTransaction } from './pool.js';

/** No more than a page of JSON has. */
const ROWS_OF_PART = 50;

/** A cursor's plan would be one for its first rows, and a transaction that waits for a reader would end too soon. */
const BEGIN = `
  begin transaction isolation level repeatable read read only;
  set local cursor_tuple_fraction = 1;
  set local idle_in_transaction_session_timeout = '30s'`;

export type Parts<Part> = () => AsyncGenerator<Part>;

/** Transactions that last as long as the readers of their rows take: half of the connections are left for others. */
export class Snapshots {
  private open = 0;

  constructor(private readonly pool: Pool) {}

  async run<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (2 * this.open >= this.pool.options.max) throw new DatabaseOverloaded();
    this.open += 1;
    try {
      return await withTransaction(this.pool, work, BEGIN);
    } catch (error) {
      throw error instanceof Error ? asUnavailable(error) : error;
    } finally {
      this.open -= 1;
    }
  }
}

export class RowsInParts<Row extends QueryResultRow> {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly statement: Statement,
    private readonly values: readonly StatementValue[],
  ) {}

  /** `work` may read the parts several times; each time they are the same. A connection is held until it ends. */
  read<Part>(partOf: (rows: Row[]) => Part, work: (parts: Parts<Part>) => Promise<void>): Promise<void> {
    return this.snapshots.run((client) => work(() => this.partsOn(client, partOf)));
  }

  private async *partsOn<Part>(client: PoolClient, partOf: (rows: Row[]) => Part): AsyncGenerator<Part> {
    for await (const rows of fetchRows<Row>(client, this.statement.text, this.values, ROWS_OF_PART))
      yield partOf(rows);
  }
}

/** Any number of rows in constant memory, through a cursor of the transaction that is open: so many at a time. */
export async function* fetchRows<Row extends QueryResultRow>(
  client: ClientBase,
  statement: string,
  values: readonly StatementValue[] = [],
  atOnce = 5_000,
): AsyncGenerator<Row[]> {
  await client.query(`declare page cursor for ${statement}`, [...values]);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${atOnce} from page`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('close page');
}
