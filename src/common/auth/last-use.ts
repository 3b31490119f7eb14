// Remembers when keys, users and sessions were last used, and writes that to the database once a minute: never a write per request, and
// never a reason for a read to wait or fail.
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { PRIMARY_POOL, withTransaction } from '../../platform/database/pool.js';
import { Scheduler } from '../../platform/lifecycle/scheduler.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';

const FLUSH_EVERY_MS = 60_000;

/** Locks the rows in one order, so that two processes never wait for each other. */
const updateOf = (table: string, id: string, column: string, idOf = 'used.id'): string => `
  with locked as materialized (
    select ${table}.${id}, used.at
    from ${table} join unnest($1::text[], $2::timestamptz[]) used (id, at) on ${table}.${id} = ${idOf}
    where ${column} is null or ${column} < used.at
    order by ${table}.${id} for no key update of ${table}
  )
  update ${table} set ${column} = locked.at from locked where ${table}.${id} = locked.${id}`;

const UPDATES = {
  key: updateOf('api_keys', 'prefix', 'last_used_at'),
  user: updateOf('users', 'id', 'last_seen_at'),
  session: updateOf('sessions', 'hash', 'used_at', "decode(used.id, 'hex')"),
};
type Used = keyof typeof UPDATES;
type Uses = Record<Used, Map<string, number>>;

const none = (): Uses => ({ key: new Map(), user: new Map(), session: new Map() });

@Injectable()
export class LastUse implements OnModuleInit, BeforeApplicationShutdown {
  private uses = none();

  constructor(
    @Inject(PRIMARY_POOL) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly scheduler: Scheduler,
  ) {}

  note(used: Used, id: string, now: number): void {
    this.uses[used].set(id, now);
  }

  onModuleInit(): void {
    void this.scheduler.start({ name: 'last use', everyMs: FLUSH_EVERY_MS, run: () => this.flush() });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** False when some use is known to this process only. */
  get isFlushed(): boolean {
    return Object.values(this.uses).every(({ size }) => size === 0);
  }

  async flush(): Promise<void> {
    if (this.isFlushed) return;
    const { uses } = this;
    this.uses = none();
    const entries = (Object.keys(UPDATES) as Used[]).filter((used) => uses[used].size > 0);
    try {
      const update = async (client: ClientBase) => {
        for (const used of entries) {
          const times = Array.from(uses[used].values(), (time) => new Date(time).toISOString());
          await client.query(UPDATES[used], [[...uses[used].keys()], times]);
        }
      };
      await withTransaction(this.pool, update, 'begin read write'); // the sessions are read-only otherwise
    } catch (error) {
      // Kept for the next time, unless a later use has been noted since.
      for (const used of entries)
        for (const [id, time] of uses[used]) if (!this.uses[used].has(id)) this.note(used, id, time);
      this.logger.warn(
        { err: error },
        'the last use of keys could not be written down; trying again in a minute',
      );
    }
  }
}
