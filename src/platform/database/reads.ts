// The one place reads go through: named statements, prepared once per connection. Reads that come in the same moment travel
// together. It bounds how many may wait, and tries a read again when its connection was lost.
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import {
  asUnavailable,
  DatabaseOverloaded,
  isStatementFailure,
  lostItsConnection,
  waitedTooLong,
} from './failures.js';
import { NamedQuery, TooManyBytes, type Statement, type StatementValue } from './named-query.js';
import { takeClient, type Release } from './pool.js';
import { RowsInParts, Snapshots } from './rows-in-parts.js';
import { currentSpan, type Span } from '../tracing/tracing.js';

export type { Statement } from './named-query.js';

const MAX_ATTEMPTS = 3;

/**
 * Maximum number of reads in a packet. Sending one is the most expensive part of a small read. Each read waits for those before it,
 * so they are few, quick and of one kind (all would wait for the same locks).
 */
const MAX_PER_PACKET = 4;

/** A page of more bytes is read in parts: usual ones of 100 rows have a tenth of it, usual ones of 10,000 half. */
const MAX_BYTES_OF_PAGE = 2 * 1_024 * 1_024;
const MAX_BYTES_OF_LARGE_PAGE = 8 * 1_024 * 1_024;

/** The rows of a page, or of one that has too many bytes the way to read them. */
export type PageRows<Row extends QueryResultRow> = Row[] | RowsInParts<Row>;

class PageTooLarge extends Error {
  constructor(readonly snapshots: Snapshots) {
    super('The rows of this page have too many bytes.');
  }
}

/** Reads of which none may come from a copy that lacks something: of keys, sensors, retries and changes. */
export const FRESH_READS = Symbol('reads that are never old');

interface Read {
  readonly statement: Statement;
  readonly values: readonly StatementValue[];
  readonly answered: (rows: QueryResultRow[]) => void;
  readonly failed: (error: Error) => void;
  readonly mayTakeLong: boolean;
  readonly maxBytes: number;
  /** Of the request that it is for. */
  readonly span: Span | undefined;
  readonly started: number;
  attempt: number;
}

export class Reads {
  /** Since the loop last looked at its sockets. */
  private arrived: Read[] = [];
  /** For a connection. */
  private waiting = 0;
  private readonly snapshots: Snapshots;

  constructor(
    private readonly pool: Pool,
    private readonly maxWaiting: number,
  ) {
    this.snapshots = new Snapshots(pool);
  }

  /** None for a value that nothing can have. Written without async functions: each would cost a small read about as much as its row does. */
  rows<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly StatementValue[],
    mayTakeLong = false,
    maxBytes = Infinity,
  ): Promise<Row[]> {
    if (!values.every((value) => typeof value !== 'string' || isStorable(value))) return Promise.resolve([]);
    return new Promise<Row[]>((resolve, failed) => {
      if (this.waiting > this.maxWaiting) throw new DatabaseOverloaded();
      const answered = resolve as (rows: QueryResultRow[]) => void;
      const span = currentSpan();
      const started = performance.now();
      const read = { statement, values, answered, failed, mayTakeLong, maxBytes, span, started, attempt: 1 };
      this.arrived.push(read);
      if (this.arrived.length === 1) setImmediate(() => this.sendArrived());
    });
  }

  /** Of a list. */
  page<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly StatementValue[],
    isLarge: boolean,
    mayTakeLong = isLarge,
  ): Promise<PageRows<Row>> {
    const maxBytes = isLarge ? MAX_BYTES_OF_LARGE_PAGE : MAX_BYTES_OF_PAGE;
    return this.rows<Row>(statement, values, mayTakeLong, maxBytes).catch((error: unknown) => {
      if (!(error instanceof PageTooLarge)) throw error;
      return new RowsInParts<Row>(error.snapshots, statement, values); // of the server that was asked
    });
  }

  async firstRow<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly StatementValue[],
    mayTakeLong = false,
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values, mayTakeLong))[0];
  }

  private sendArrived(): void {
    const { arrived } = this;
    this.arrived = [];
    const groups: Read[][] = [];
    const open = new Map<string, Read[]>();
    for (const read of arrived) {
      const { name } = read.statement;
      const group = read.mayTakeLong ? undefined : open.get(name);
      if (group !== undefined && group.length < MAX_PER_PACKET) {
        group.push(read);
      } else {
        const opened = [read];
        groups.push(opened);
        if (!read.mayTakeLong) open.set(name, opened);
      }
    }
    for (const group of groups) this.run(group);
  }

  private run(reads: readonly Read[]): void {
    this.waiting += reads.length;
    takeClient(
      this.pool,
      (client, release) => {
        this.waiting -= reads.length;
        this.runOn(client, release, reads);
      },
      (noConnection) => {
        this.waiting -= reads.length;
        for (const read of reads) this.fail(read, noConnection);
      },
    );
  }

  /** Sent in one packet, answered one after the other. */
  private runOn(client: PoolClient, release: Release, reads: readonly Read[]): void {
    let failure: Error | undefined;
    const unanswered = new Set(reads);
    const failAll = (failed: Iterable<Read>, error: Error): void => {
      for (const read of failed) if (unanswered.delete(read)) this.fail(read, error);
    };
    const queries = reads.map((read, index) => {
      const ended = (error: Error | null, rows: QueryResultRow[] = []): void => {
        if (error !== null && !isStatementFailure(error)) {
          release(error);
          return failAll(unanswered, error);
        }
        failure ??= error ?? undefined;
        const next = queries[index + 1];
        if (next !== undefined) client.query(next);
        else release(failure); // a connection on which anything failed is closed
        // What one waited for in vain the others would wait for too, each after the one before it.
        if (error !== null) return failAll(waitedTooLong(error) ? unanswered : [read], error);
        if (!unanswered.delete(read)) return;
        read.span?.addStatement(read.statement.name, read.started, false);
        read.answered(rows);
      };
      return new NamedQuery(client, read.statement, read.values, ended, read.maxBytes);
    });
    const [first, ...others] = queries;
    if (first === undefined) return release();
    first.sendTogetherWith(others);
    client.query(first);
  }

  /** Nothing was answered yet. Others may have been cut in the same moment, so one more try may meet another of them. */
  private fail(read: Read, error: Error): void {
    if (error instanceof TooManyBytes) read.failed(new PageTooLarge(this.snapshots));
    else if (read.attempt < MAX_ATTEMPTS && lostItsConnection(error)) {
      read.attempt += 1;
      this.run([read]);
    } else {
      read.span?.addStatement(read.statement.name, read.started, true);
      read.failed(asUnavailable(error));
    }
  }
}

/** PostgreSQL's text holds any string but one with a NUL: such a value can be asked for, and never found. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}
