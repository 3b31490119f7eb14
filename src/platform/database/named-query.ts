// A named statement as pg's client runs it. pg's own query asks for the columns with every execution: half of what a small read
// costs. Those of a prepared statement cannot change while its connection lives, so here they are asked for once.
import type { ClientBase, Connection, FieldDef, QueryResultRow, Submittable } from 'pg';

export interface Statement {
  /** Unique in the service; statements are prepared under it. */
  readonly name: string;
  readonly text: string;
}

export type StatementValue = string | number | null;

/** What a statement rejects with whose rows have more bytes than it may answer. Its connection is busy with the rest of them. */
export class TooManyBytes extends Error {}

type RowReader = (texts: readonly (string | null)[]) => QueryResultRow;

/** How to read the rows of the statements that are prepared on a connection. */
const prepared = new WeakMap<ClientBase, Map<string, RowReader>>();

/** Besides submit(), pg's client calls a handler for each message of the server's answer. */
export class NamedQuery implements Submittable {
  private readRow: RowReader = () => ({});
  private readonly rows: QueryResultRow[] = [];
  private companions: readonly NamedQuery[] = [];
  private isSent = false;
  private bytes = 0;

  constructor(
    private readonly client: ClientBase,
    private readonly statement: Statement,
    private readonly values: readonly StatementValue[],
    /** Called once: pg takes it away when the time for the answer is over, and calls it with the error alone. */
    public callback: (error: Error | null, rows?: QueryResultRow[]) => void,
    private readonly maxBytes = Infinity,
  ) {}

  /**
   * Sends them in the same packet, each as a transaction of its own, up to the first that is not prepared yet: its preparation may
   * fail. Each is given to the client when the one before it has ended.
   */
  sendTogetherWith(companions: readonly NamedQuery[]): void {
    this.companions = companions;
  }

  submit(connection: Connection): void {
    if (this.isSent) return;
    connection.stream.cork(); // until uncork(), everything goes into one packet
    this.send(connection);
    for (const companion of this.companions) {
      if (companion.knownReader === undefined) break;
      companion.send(connection);
    }
    connection.stream.uncork();
  }

  private get knownReader(): RowReader | undefined {
    return preparedOn(this.client).get(this.statement.name);
  }

  private send(connection: Connection): void {
    const { name, text } = this.statement;
    const known = this.knownReader;
    if (known === undefined) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: this.values.map(asText) }, true);
    if (known === undefined) connection.describe({ type: 'P', name: '' }, true);
    else this.readRow = known;
    connection.execute(null, true);
    connection.sync();
    this.isSent = true;
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.readRow = rowReader(fields, this.client);
    preparedOn(this.client).set(this.statement.name, this.readRow);
  }

  handleDataRow({ fields, length }: { fields: (string | null)[]; length: number }): void {
    const isOver = this.bytes > this.maxBytes;
    this.bytes += length;
    if (this.bytes <= this.maxBytes) this.rows.push(this.readRow(fields));
    else if (!isOver) this.giveUp();
  }

  private giveUp(): void {
    const { callback } = this;
    this.callback = () => undefined; // the end of the connection, which is its answer, too
    callback(new TooManyBytes());
  }

  handleCommandComplete(): void {
    // The rows are handed over when the connection is ready for the next statement.
  }

  handleReadyForQuery(): void {
    this.callback(null, this.rows);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }
}

function preparedOn(client: ClientBase): Map<string, RowReader> {
  let statements = prepared.get(client);
  if (statements === undefined) {
    statements = new Map();
    prepared.set(client, statements);
  }
  return statements;
}

/** Each row is a copy of an empty one, so that V8 gives all of a statement one shape: adding column by column takes far longer. */
function rowReader(fields: readonly FieldDef[], client: ClientBase): RowReader {
  const columns = fields.map(({ name, dataTypeID }) => ({
    name,
    parse: client.getTypeParser(dataTypeID, 'text'),
  }));
  const empty: QueryResultRow = Object.fromEntries(columns.map(({ name }) => [name, null]));
  return (texts) => {
    const row = { ...empty };
    columns.forEach(({ name, parse }, i) => {
      const text = texts[i];
      if (typeof text === 'string') row[name] = parse(text);
    });
    return row;
  };
}

function asText(value: StatementValue): string | null {
  return value === null ? null : String(value);
}
