// Reads beside standbys. What a server could not answer is asked of another one at once: a caller notices nothing.
import type { Pool, QueryResultRow } from 'pg';
import { DatabaseUnavailable, isOfTheServer } from './failures.js';
import { Reads, type Statement } from './reads.js';
import type { StatementValue } from './named-query.js';
import type { Standbys } from './standbys.js';

const AWAY = new DatabaseUnavailable(new Error('The primary is away, and no standby had all that it had.'));

type Values = readonly StatementValue[];

/** From the standbys in turn; the primary steps in. */
export class StandbyReads extends Reads {
  constructor(
    primary: Pool,
    private readonly standbys: Standbys,
    maxWaiting: number,
  ) {
    super(primary, maxWaiting);
  }

  override async rows<Row extends QueryResultRow>(
    statement: Statement,
    values: Values,
    mayTakeLong?: boolean,
  ): Promise<Row[]> {
    const standby = this.standbys.next();
    if (standby === undefined) return super.rows<Row>(statement, values, mayTakeLong);
    try {
      return await standby.reads.rows<Row>(statement, values, mayTakeLong);
    } catch (error) {
      if (!isOfTheServer(error)) throw error;
      this.standbys.leaveOut(standby, error);
      const other = this.standbys.primaryIsAway ? this.standbys.next() : undefined;
      return other === undefined
        ? super.rows<Row>(statement, values, mayTakeLong)
        : other.reads.rows<Row>(statement, values, mayTakeLong);
    }
  }
}

/** From the primary. While it is away, from a standby that was not behind when it went: never from one that lags. */
export class FreshReads extends Reads {
  constructor(
    primary: Pool,
    private readonly standbys: Standbys,
    maxWaiting: number,
  ) {
    super(primary, maxWaiting);
  }

  override async rows<Row extends QueryResultRow>(
    statement: Statement,
    values: Values,
    mayTakeLong?: boolean,
  ): Promise<Row[]> {
    if (this.standbys.primaryIsAway) return this.rowsOfCopy(AWAY, statement, values, mayTakeLong);
    try {
      return await super.rows<Row>(statement, values, mayTakeLong);
    } catch (error) {
      if (!isOfTheServer(error)) throw error;
      return this.rowsOfCopy(error, statement, values, mayTakeLong);
    }
  }

  private rowsOfCopy<Row extends QueryResultRow>(
    whyNotThePrimary: Error,
    statement: Statement,
    values: Values,
    mayTakeLong?: boolean,
  ): Promise<Row[]> {
    const standby = this.standbys.nextFresh();
    return standby === undefined
      ? Promise.reject(whyNotThePrimary)
      : standby.reads.rows<Row>(statement, values, mayTakeLong);
  }
}
