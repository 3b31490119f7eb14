// Who waits for changes, and the one look at the feed that wakes them: a few times a second an instance asks once for what is new, while
// anybody waits. Beside standbys it also decides which positions may be given out: those that every one in use has, so that whatever is
// read because of a change is not older than the change.
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG, type Config } from '../platform/config/config.js';
import { FRESH_READS, type Reads, type Statement } from '../platform/database/reads.js';
import { LOG_POSITION, Standbys } from '../platform/database/standbys.js';
import { Scheduler } from '../platform/lifecycle/scheduler.js';
import { unavailable } from '../common/problems/problem.js';
import { KIND } from './change-types.js';
import type { Cursor } from './cursor.js';

const LOOK_EVERY_MS = 250;
/** How long the first who ask here wait until every standby has what was seen first. */
const FIRST_LOOK_MS = 5_000;
/** Of those that may wait, for one key. */
const SHARE_OF_KEY = 1 / 8;

/**
 * What is new after a cursor ($1, $2), by kind and owner, as far as one look goes; the last row, without a kind, is how far that is.
 * Without a cursor it is all there is. A cursor that is not in the feed was given out before a restore or a failover that lost it.
 */
const LOOK: Statement = {
  name: 'look_at_changes',
  text: `
    with head as materialized (select position from change_feed order by position desc limit 1),
    reached as materialized (select least(position, $1::bigint + 10000) as position from head)
    select news.kind, coalesce(news.owner_id, tank.owner_id) as owner_id,
           null::bigint as position, null::bigint as placed_ms, null::float8 as log_position,
           false as is_behind, false as is_other_history
    from change_feed news left join tanks tank on tank.key = news.tank_key
    where news.position > $1 and news.position <= (select position from reached)
    group by 1, 2
    union all
    select null, null, feed.position, (extract(epoch from feed.placed_at) * 1000)::bigint, ${LOG_POSITION},
           feed.position < head.position,
           $1 is not null and not exists (
             select from change_feed own
             where own.position = $1 and (extract(epoch from own.placed_at) * 1000)::bigint = $2::bigint)
    from reached join change_feed feed using (position), head`,
};

interface NewsRow {
  readonly kind: string | null;
  readonly owner_id: string | null;
  readonly position: number | null;
  readonly placed_ms: number | null;
  readonly log_position: number | null;
  readonly is_behind: boolean;
  readonly is_other_history: boolean;
}

interface News {
  readonly rows: readonly NewsRow[];
  readonly reached: Cursor;
  readonly logPosition: number;
  readonly isBehind: boolean;
  /** The rows do not say whom it concerns. */
  readonly isForAll: boolean;
}

interface Interest {
  readonly kinds: readonly string[];
  readonly boundTo: string | null;
  readonly callerId: string;
}

interface Waiter extends Interest {
  readonly after: Cursor;
  readonly end: (reached: Cursor | undefined) => void;
}

@Injectable()
export class ChangeWatch implements OnModuleInit, BeforeApplicationShutdown {
  /** How far the feed was looked at, and may be given out. */
  private seen: Cursor | undefined;
  private seenAt = -Infinity;
  /** Not on every standby as yet. */
  private held: News | undefined;
  private looking: Promise<void> | undefined;
  private readonly waiting = new Set<Waiter>();
  private isStopping = false;

  constructor(
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly standbys: Standbys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly scheduler: Scheduler,
  ) {}

  onModuleInit(): void {
    const run = (): Promise<void> => this.lookForWaiting();
    void this.scheduler.start({ name: 'waiting for changes', everyMs: LOOK_EVERY_MS, run });
  }

  /** The newest position that may be given out; undefined: any. */
  async newest(): Promise<Cursor | undefined> {
    if (this.standbys.areNone) return undefined;
    if (performance.now() - this.seenAt > LOOK_EVERY_MS) await this.look();
    const triesUntil = performance.now() + FIRST_LOOK_MS;
    while (this.seen === undefined) {
      if (performance.now() > triesUntil) throw standbysLag();
      await sleep(LOOK_EVERY_MS / 2);
      await this.look();
    }
    return this.seen;
  }

  /**
   * Resolves with undefined as soon as there may be something new after the cursor; otherwise with the position up to which there was
   * nothing new, when the time is over, the caller leaves or the service stops.
   */
  async wait(
    interest: Interest,
    after: Cursor,
    milliseconds: number,
    response: Response,
  ): Promise<Cursor | undefined> {
    const { socket } = response.req;
    if (this.isStopping || response.closed || socket.readableEnded) return after;
    this.seen ??= after;
    if (this.seen.position > after.position) {
      await this.look();
      return undefined;
    }
    if (!this.hasPlaceFor(interest.callerId)) throw tooManyWait();
    const reached = (): Cursor =>
      this.seen !== undefined && this.seen.position > after.position ? this.seen : after;
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.end(reached()), milliseconds);
      const waiter: Waiter = {
        ...interest,
        after,
        end: (cursor) => {
          clearTimeout(timer);
          response.off('close', left);
          socket.off('end', left);
          this.waiting.delete(waiter);
          resolve(cursor);
        },
      };
      // A client that closes its half of the connection may be gone: it is answered at once.
      const left = (): void => waiter.end(reached());
      response.on('close', left);
      socket.on('end', left);
      this.waiting.add(waiter);
    });
  }

  /** Ends all waiting, now and from now on. */
  stop(): void {
    this.isStopping = true;
    for (const { end, after } of this.waiting) end(after);
  }

  beforeApplicationShutdown(): void {
    this.stop();
  }

  private hasPlaceFor(id: string): boolean {
    const most = this.config.limits.maxWaitingForChanges;
    if (this.waiting.size >= most) return false;
    return [...this.waiting].filter(({ callerId }) => callerId === id).length < most * SHARE_OF_KEY;
  }

  private async lookForWaiting(): Promise<void> {
    if (this.waiting.size > 0)
      await this.look().catch(() => undefined); // those who wait are answered when their time is over
    else if (this.standbys.areNone) this.seen = undefined;
  }

  /** Those who ask at the same time share one. */
  private look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    for (let isBehind = true; isBehind;) {
      this.held ??= await this.readNews();
      this.seenAt = performance.now();
      if (!this.standbys.haveAll(this.held.logPosition)) break;
      isBehind = this.giveOut(this.held);
      this.held = undefined;
    }
  }

  private async readNews(): Promise<News> {
    // While nobody waits it does not matter what is new, and what was seen may be gone for its age.
    const since = this.waiting.size > 0 ? this.seen : undefined;
    const rows = await this.reads.rows<NewsRow>(LOOK, [since?.position ?? null, since?.placedMs ?? null]);
    const end = rows.find(({ kind }) => kind === null);
    const { position, placed_ms: placedMs, log_position: logPosition } = end ?? {};
    if (end === undefined || typeof position !== 'number' || typeof placedMs !== 'number')
      throw new Error('The feed of changes has no end.');
    return {
      rows,
      reached: { position, placedMs },
      logPosition: logPosition ?? 0,
      isBehind: end.is_behind,
      isForAll: since === undefined || end.is_other_history || rows.some(({ kind }) => kind === KIND.restart),
    };
  }

  /** Returns whether there is more. */
  private giveOut({ rows, reached, logPosition, isBehind, isForAll }: News): boolean {
    this.seen = reached;
    this.standbys.require(logPosition);
    const newKinds = new Set(rows.map(({ kind }) => kind));
    const newOfOwner = new Set(rows.map(({ kind, owner_id: owner }) => `${kind} ${owner}`));
    for (const { kinds, boundTo, end } of this.waiting) {
      const isNews = (kind: string): boolean =>
        boundTo === null ? newKinds.has(kind) : newOfOwner.has(`${kind} ${boundTo}`);
      if (isForAll || kinds.some(isNews)) end(undefined);
    }
    return isBehind;
  }
}

function standbysLag(): Error {
  return unavailable(
    'database_unavailable',
    'Not every standby has the newest changes yet; try again shortly.',
  );
}

function tooManyWait(): Error {
  return unavailable(
    'overloaded',
    'As many requests wait for changes here, in all or with this key, as may; ask without waiting, or try again shortly.',
  );
}
