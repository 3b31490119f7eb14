// Reads any number of rows of a statement in constant memory, through a cursor of the transaction that is open.
import type { ClientBase } from 'pg';

export type Row = Readonly<Record<string, string | number | null>>;

const ROWS_AT_ONCE = 5_000;

export async function forEachRow(
  client: ClientBase,
  statement: string,
  work: (row: Row) => void,
): Promise<void> {
  await client.query(`declare rows_to_read no scroll cursor for ${statement}`);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from rows_to_read`);
    if (rows.length === 0) break;
    rows.forEach(work);
  }
  await client.query('close rows_to_read');
}
