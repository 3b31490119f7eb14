// Who consumes: one process among all, by a row that whoever consumes renews. It works behind a pooler, and after a crash it runs out by
// itself. The row also says which filters the session at the broker has, so that those taken out later are unsubscribed.
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { MQTT_POOL } from '../../platform/database/pool.js';

/** After a crash somebody else consumes within this time and the next look at the row. */
const LEASE_MS = 10_000;
/** Whoever could not renew it stops so long before it runs out. */
const MARGIN_MS = 3_000;

const TAKE = `
  update mqtt_lease set holder = $1, expires_at = clock_timestamp() + $2 * interval '1 millisecond'
  where holder = $1 or expires_at < clock_timestamp()
  returning filters`;
const RELEASE = `update mqtt_lease set holder = null, expires_at = '-infinity' where holder = $1`;
const NOTE_FILTERS = 'update mqtt_lease set filters = $2 where holder = $1';

@Injectable()
export class Lease {
  private readonly holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  private until = 0;
  private asking: Promise<unknown> = Promise.resolve();

  constructor(@Inject(MQTT_POOL) private readonly pool: Pick<Pool, 'query'>) {}

  /** By this process's own clock, which runs while the database cannot be asked. */
  get isHeld(): boolean {
    return performance.now() < this.until;
  }

  /** Takes or renews it. Returns the filters of the session, or undefined while somebody else has it. */
  async take(): Promise<readonly string[] | undefined> {
    const askedAt = performance.now();
    const asking = this.pool.query<{ filters: string[] }>(TAKE, [this.holder, LEASE_MS]);
    this.asking = asking.catch(() => undefined);
    const { rows } = await asking;
    this.until = rows[0] === undefined ? 0 : askedAt + LEASE_MS - MARGIN_MS;
    return rows[0]?.filters;
  }

  async noteFilters(filters: readonly string[]): Promise<void> {
    await this.pool.query(NOTE_FILTERS, [this.holder, filters]);
  }

  /** After a renewal that is under way: one that came later would take the lease again. */
  async release(): Promise<void> {
    await this.asking;
    this.until = 0;
    await this.pool.query(RELEASE, [this.holder]);
  }
}
