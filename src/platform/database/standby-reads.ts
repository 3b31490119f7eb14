// Reads beside standbys. What a server could not answer is asked of another one at once: a caller notices nothing.
import type { Pool, QueryResultRow } from 'pg';
import { DatabaseUnavailable, isServerFailure } from './failures.js';
import { Reads } from './reads.js';
import type { Standbys } from './standbys.js';

const AWAY = new DatabaseUnavailable(new Error('The primary is away, and no standby is up to date.'));

type ReadArguments = Parameters<Reads['rows']>;

abstract class ReadsWithStandbys extends Reads {
  constructor(
    primary: Pool,
    protected readonly standbys: Standbys,
    maxWaiting: number,
  ) {
    super(primary, maxWaiting);
  }
}

/** From the standbys in turn; from the primary when none can answer. */
export class StandbyReads extends ReadsWithStandbys {
  override async rows<Row extends QueryResultRow>(...read: ReadArguments): Promise<Row[]> {
    const standby = this.standbys.next();
    if (standby === undefined) return super.rows<Row>(...read);
    try {
      return await standby.reads.rows<Row>(...read);
    } catch (error) {
      if (!isServerFailure(error)) throw error;
      this.standbys.leaveOut(standby, error);
      const other = this.standbys.primaryIsAway ? this.standbys.next() : undefined;
      return other === undefined ? super.rows<Row>(...read) : other.reads.rows<Row>(...read);
    }
  }
}

/** From the primary. While it is away, from a standby that was not behind when it went: never from one that lags. */
export class FreshReads extends ReadsWithStandbys {
  override async rows<Row extends QueryResultRow>(...read: ReadArguments): Promise<Row[]> {
    let failure: Error = AWAY;
    try {
      if (!this.standbys.primaryIsAway) return await super.rows<Row>(...read);
    } catch (error) {
      if (!isServerFailure(error)) throw error;
      failure = error;
    }
    const standby = this.standbys.nextFresh();
    if (standby === undefined) throw failure;
    return standby.reads.rows<Row>(...read);
  }
}
