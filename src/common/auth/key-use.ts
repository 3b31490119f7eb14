// Remembers when each key was last used, and writes that to the database once a minute: never a write per request, and never a
// reason for a read to wait or fail.
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { PRIMARY_POOL, withTransaction } from '../../platform/database/pool.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';

const FLUSH_EVERY_MS = 60_000;

const UPDATE_LAST_USE = `
  update api_keys set last_used_at = used.at
  from unnest($1::text[], $2::timestamptz[]) used (prefix, at)
  where api_keys.prefix = used.prefix and (last_used_at is null or last_used_at < used.at)`;

@Injectable()
export class KeyUse implements OnModuleInit, BeforeApplicationShutdown {
  private lastUsed = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(PRIMARY_POOL) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  note(prefix: string, now: number): void {
    this.lastUsed.set(prefix, now);
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** False when some use is known to this process only. */
  get isFlushed(): boolean {
    return this.lastUsed.size === 0;
  }

  async flush(): Promise<void> {
    const uses = this.lastUsed;
    if (uses.size === 0) return;
    this.lastUsed = new Map();
    const times = Array.from(uses.values(), (time) => new Date(time).toISOString());
    try {
      const update = (client: ClientBase) => client.query(UPDATE_LAST_USE, [[...uses.keys()], times]);
      await withTransaction(this.pool, update, 'begin read write'); // the sessions are read-only otherwise
    } catch (error) {
      // Kept for the next time, unless a later use has been noted since.
      for (const [prefix, time] of uses) if (!this.lastUsed.has(prefix)) this.lastUsed.set(prefix, time);
      this.logger.warn(
        { err: error },
        'the last use of keys could not be written down; trying again in a minute',
      );
    }
  }
}
