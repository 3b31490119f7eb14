// The standbys that reads may go to, and the lag of each. Twice a second they and the primary are asked for their position in the
// log of changes. A standby is as old as the newest moment at which the primary had nothing that the standby lacks: this needs
// no clock but ours, a standby of an idle primary is fresh, and one that is cut off is not.
import type { Config } from '../config/config.js';
import type { Scheduler } from '../lifecycle/scheduler.js';
import type { Logger } from '../logging/logger.js';
import type { DatabasePools, ReadServer } from './database-pools.js';
import { withClient } from './pool.js';
import { Reads } from './reads.js';

const LOOK_EVERY_MS = 500;
/** How long the primary's positions are remembered, at least. */
const KNOWN_MS = 600_000;

/** Maximum lag of a standby that keys are read from: a revoked key ends within 5 s, and is cached for 3. */
const FRESH_MS = 1_500;

/** Where a server is in the log of changes, in bytes. */
export const LOG_POSITION = `
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::float8`;

/** And the age of the last change that this server has. */
const POSITION = `
  select pg_is_in_recovery() as "isStandby", ${LOG_POSITION} as position,
         extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 * 1000 as "lastChangeMs"`;

interface LogPosition {
  readonly isStandby: boolean;
  readonly position: number;
  readonly lastChangeMs: number | null;
}

/** As operators see it. */
export interface StandbyReport {
  /** Its place in DATABASE_READ_URLS, from 1. */
  readonly standby: number;
  readonly in_use: boolean;
  /** Null: not known yet. */
  readonly lag_seconds: number | null;
}

async function readPosition({ watch }: ReadServer): Promise<LogPosition> {
  const { rows } = await withClient(watch, (client) => client.query<LogPosition>(POSITION));
  const [position] = rows;
  if (position === undefined) throw new Error('The server did not report its position.');
  return position;
}

class Standby {
  readonly reads: Reads;
  /** The newest moment at which it lacked nothing. */
  freshAt: number | undefined;
  /** In the log of changes, when it was last asked. */
  position = 0;
  /** Undefined: not asked yet. */
  isInUse: boolean | undefined;

  constructor(
    readonly number: number,
    readonly server: ReadServer,
    maxWaiting: number,
  ) {
    this.reads = new Reads(server.reads, maxWaiting);
  }

  get lagMs(): number | undefined {
    return this.freshAt === undefined ? undefined : performance.now() - this.freshAt;
  }
}

export class Standbys {
  private readonly primary: ReadServer;
  private readonly standbys: readonly Standby[];
  /** Where the primary was when, oldest first. */
  private readonly marks: { at: number; readonly position: number }[] = [];
  private readonly maxLagMs: number;
  /** It does not answer, or is no primary any more. */
  primaryIsAway = false;
  /** What those that are read from must have of the log. */
  private required = 0;
  private turn = 0;

  constructor(
    pools: DatabasePools,
    config: Config,
    private readonly logger: Logger,
    private readonly scheduler: Scheduler,
  ) {
    this.maxLagMs = config.maxReplicationLagSeconds * 1_000;
    this.primary = pools.primary;
    this.standbys = pools.standbys.map(
      (server, i) => new Standby(i + 1, server, config.limits.maxWaitingRequests),
    );
  }

  /** Returns when each server was asked once. */
  async start(): Promise<this> {
    if (this.areNone) return this;
    const watch = (name: string, run: (stopped: AbortSignal) => Promise<void>): Promise<void> =>
      this.scheduler.start({ name, everyMs: LOOK_EVERY_MS, run });
    await watch('primary', (stopped) => this.lookAtPrimary(stopped));
    await Promise.all(
      this.standbys.map((standby) =>
        watch(`standby ${standby.number}`, (stopped) => this.lookAt(standby, stopped)),
      ),
    );
    return this;
  }

  get areNone(): boolean {
    return this.standbys.length === 0;
  }

  next(): Standby | undefined {
    const { length } = this.standbys;
    for (let i = 0; i < length; i++) {
      this.turn = (this.turn + 1) % length;
      const standby = this.standbys[this.turn];
      if (standby?.isInUse === true && standby.position >= this.required) return standby;
    }
    return undefined;
  }

  /** One that was not behind when the primary was last seen. */
  nextFresh(): Standby | undefined {
    const since = (this.marks.at(-1)?.at ?? -Infinity) - FRESH_MS;
    return this.standbys.find(
      ({ isInUse, freshAt, position }) =>
        isInUse === true && (freshAt ?? -Infinity) >= since && position >= this.required,
    );
  }

  /** Whether every one in use has what the primary had at this position of its log. */
  haveAll(position: number): boolean {
    return this.standbys.every((standby) => standby.isInUse !== true || standby.position >= position);
  }

  /** From now on, one that lacks it is not read from: what was given out from there can be read. */
  require(position: number): void {
    this.required = Math.max(this.required, position);
  }

  /** Until it answers again and is not too old. */
  leaveOut(standby: Standby, cause: unknown): void {
    if (standby.isInUse === false) return;
    standby.isInUse = false;
    this.logger.warn(
      { standby: standby.number, err: cause },
      'a standby is left out; others and the primary take its reads',
    );
  }

  report(): StandbyReport[] {
    return this.standbys.map(({ number, isInUse, lagMs }) => ({
      standby: number,
      in_use: isInUse === true,
      lag_seconds: lagMs === undefined ? null : Math.round(lagMs / 100) / 10,
    }));
  }

  private async lookAtPrimary(stopped: AbortSignal): Promise<void> {
    const at = performance.now();
    try {
      const { isStandby, position } = await readPosition(this.primary);
      if (isStandby) throw new Error('DATABASE_URL leads to a standby.');
      this.mark(at, position);
      if (position < this.required) this.required = 0; // another primary, with a shorter log
      if (this.primaryIsAway) this.logger.info('the primary is back');
      this.primaryIsAway = false;
    } catch (error) {
      if (stopped.aborted || this.primaryIsAway) return;
      this.primaryIsAway = true;
      this.logger.warn(
        { err: error },
        'the primary is out of reach; reads go on from standbys that are not too old',
      );
    }
  }

  private mark(at: number, position: number): void {
    const last = this.marks.at(-1);
    if (last?.position === position) last.at = at;
    else this.marks.push({ at, position });
    const oldest = at - Math.max(KNOWN_MS, 2 * this.maxLagMs);
    while ((this.marks[0]?.at ?? Infinity) < oldest) this.marks.shift();
  }

  private async lookAt(standby: Standby, stopped: AbortSignal): Promise<void> {
    try {
      const reached = await readPosition(standby.server);
      standby.freshAt = this.freshAt(standby.freshAt, reached);
      standby.position = reached.position;
      this.judge(standby);
    } catch (error) {
      if (!stopped.aborted) this.leaveOut(standby, error);
    }
  }

  private freshAt(before: number | undefined, { position, lastChangeMs }: LogPosition): number | undefined {
    const had = this.marks.findLast((mark) => mark.position <= position);
    if (had !== undefined) return Math.max(had.at, before ?? had.at);
    // Started while the primary is away: it has at least the last change that it knows of.
    if (this.marks.length === 0 && lastChangeMs !== null) return performance.now() - lastChangeMs;
    return before;
  }

  private judge(standby: Standby): void {
    const lagMs = standby.lagMs ?? Infinity;
    if (lagMs > this.maxLagMs) {
      this.leaveOut(
        standby,
        new Error(`It is ${Math.round(lagMs / 1_000)} s behind, or was cut off that long ago.`),
      );
    } else if (standby.isInUse !== true) {
      standby.isInUse = true;
      this.logger.info({ standby: standby.number }, 'a standby is in use');
    }
  }
}
