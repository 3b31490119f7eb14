// Readiness: not shutting down, the database answers, no migration is missing, what is accepted can be written, and the clock is right.
import { Injectable } from '@nestjs/common';
import { findCode } from '../platform/database/failures.js';
import { findOutdated, type OutdatedFunctions } from '../platform/database/functions.js';
import type { InstalledFunction } from '../platform/schema/installed-function.entity.js';
import { Reads, type Statement } from '../platform/database/reads.js';
import { Standbys, type StandbyReport } from '../platform/database/standbys.js';
import { migrations } from '../platform/schema/migrations/index.js';
import { unavailable } from '../common/problems/problem.js';
import { ClockCheck } from './clock-check.js';
import { WriteCheck } from './write-check.js';

const APPLIED_MIGRATIONS: Statement = { name: 'applied_migrations', text: 'select name from migrations' };
const INSTALLED_FUNCTIONS: Statement = {
  name: 'installed_functions',
  text: 'select name, hash from installed_functions',
};

const NO_SUCH_TABLE = '42P01'; // SQLSTATE

/** Probes share a check of the database for this long: anyone may ask as often as they like. */
const CACHE_MS = 250;

@Injectable()
export class HealthService {
  private shuttingDown = false;
  private lastCheck: { readonly missing: Promise<string[]>; validUntil: number } | undefined;

  constructor(
    private readonly reads: Reads,
    private readonly standbys: Standbys,
    private readonly writeCheck: WriteCheck,
    private readonly clock: ClockCheck,
  ) {}

  standbyReports(): StandbyReport[] | undefined {
    return this.standbys.areNone ? undefined : this.standbys.report();
  }

  announceShutdown(): void {
    this.shuttingDown = true;
  }

  async assertReady(): Promise<void> {
    if (this.shuttingDown)
      throw unavailable('shutting_down', 'This instance is shutting down; ask another one.');
    const missing = await this.recentlyMissing();
    if (missing.length > 0) throw unavailable('database_unavailable', 'The database lacks migrations.');
    const obstacle = this.writeCheck.obstacle ?? this.clock.obstacle;
    if (obstacle !== undefined) throw unavailable('not_ready', obstacle);
  }

  private recentlyMissing(): Promise<string[]> {
    if (this.lastCheck === undefined || performance.now() > this.lastCheck.validUntil) {
      const check = { missing: this.missingMigrations(), validUntil: Infinity };
      check.missing.then(
        (missing) => (check.validUntil = missing.length === 0 ? performance.now() + CACHE_MS : 0),
        () => (check.validUntil = 0),
      );
      this.lastCheck = check;
    }
    return this.lastCheck.missing;
  }

  async missingMigrations(): Promise<string[]> {
    const rows = await this.reads.rows<{ name: string }>(APPLIED_MIGRATIONS, []).catch((error: unknown) => {
      if (findCode(error) === NO_SUCH_TABLE) return [];
      throw error;
    });
    const applied = new Set(rows.map(({ name }) => name));
    return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  }

  async outdatedFunctions(): Promise<OutdatedFunctions> {
    return findOutdated(await this.reads.rows<InstalledFunction>(INSTALLED_FUNCTIONS, []));
  }
}
