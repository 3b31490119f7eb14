// The background work: every task that any number of processes may do on one database, each its part. WORKER=false leaves it to others.
import { Inject, Injectable, Optional, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { judgeAll } from '../alerts/judging.js';
import { Forecasting } from '../forecasts/forecasting.js';
import { NoticeWorker } from '../notices/notice-worker.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { LONG_WORK_POOL, WORKER_POOL } from '../platform/database/pool.js';
import { Scheduler, type Task } from '../platform/lifecycle/scheduler.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { measureDeliveries } from '../runs/measuring.js';
import { MqttConsumer } from '../sensors/mqtt/consumer.js';
import { firstMonthKept, removeOldReadings } from '../telemetry/storage/old-readings.js';
import { addMonthsAhead } from '../telemetry/storage/partitions.js';
import { DeliveryWorker } from '../webhooks/delivery-worker.js';
import { ADVICE, findMissingRights } from './rights.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How often the rights of the role are checked again. */
const CHECK_AGAIN_MS = 30 * SECOND;

type Database = Pick<Pool, 'query' | 'connect'>;
type BackgroundConfig = Pick<Config, 'eventRetentionDays' | 'telemetryRetentionMonths' | 'webhooks' | 'mqtt'>;

@Injectable()
export class Background implements BeforeApplicationShutdown {
  private readonly tasks: readonly Task[];
  private stopped: Promise<void> | undefined;
  private missing: string | undefined;

  constructor(
    @Inject(WORKER_POOL) private readonly pool: Database,
    @Inject(LONG_WORK_POOL) private readonly longPool: Database,
    @Inject(CONFIG) private readonly config: BackgroundConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'count'>,
    private readonly scheduler: Scheduler,
    private readonly forecasting: Forecasting,
    private readonly notices: NoticeWorker,
    deliveries: DeliveryWorker,
    @Optional() consumer?: MqttConsumer,
  ) {
    this.tasks = [
      ...this.quickTasks(),
      ...this.longTasks(),
      notices,
      ...(config.webhooks.secretKeys.length === 0 ? [] : [deliveries]),
      ...(consumer?.tasks ?? []),
    ];
  }

  start(): void {
    for (const one of this.tasks) void this.scheduler.start(one);
  }

  /** Begins when the role may do it, with one line in the log until then. During an outage the work itself waits for the database, and logs that. */
  async startWhenAllowed(): Promise<void> {
    const missing = await findMissingRights(this.pool).catch(() => undefined);
    if (this.stopped !== undefined) return;
    if (missing === undefined) {
      if (this.missing !== undefined) this.logger.info('background work begins');
      return this.start();
    }
    if (missing !== this.missing) this.logger.warn(`background work is off: ${missing}. ${ADVICE}`);
    this.missing = missing;
    setTimeout(() => void this.startWhenAllowed(), CHECK_AGAIN_MS).unref();
  }

  /** Begins nothing more; resolves when what is under way has ended. */
  stop(): Promise<void> {
    return (this.stopped ??= this.scheduler.stop(this.tasks));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private quickTasks(): Task[] {
    return [
      // An event is recorded within a second of the write that caused it.
      task('judging', 250, (stopped) => judgeAll(this.pool, mayGoOn(stopped))),
      // A change is given out within two seconds of its commit.
      task('changes', 250, batches(this.pool, 20_000, 'select place_changes($1) as n')),
      // Silence is reported within 75 seconds, whatever the clocks of several processes show.
      task('silence', 30 * SECOND, (stopped) => this.findSilentTanks(stopped)),
    ];
  }

  /** On connections of their own. Storage has a lane, since the first removal of old readings, or of changes that nobody removed for long, may take hours. */
  private longTasks(): Task[] {
    const { eventRetentionDays: days, telemetryRetentionMonths: months } = this.config;
    const forgetEvents = `select forget_events(now() - ${days} * interval '1 day', $1) as n`;
    return [
      // A quarantine that is too full is so for less than a minute.
      task('quarantine', 20 * SECOND, (stopped) => this.dropOldUplinks(stopped), 'upkeep'),
      task('old events', 10 * MINUTE, batches(this.longPool, 5_000, forgetEvents), 'upkeep'),
      // Until then, what is to be added to the counts of the activity is summed up by its readers.
      task('activity', 20 * SECOND, batches(this.longPool, 5_000, 'select tidy_activity($1) as n'), 'upkeep'),
      // A tank with news gets its forecast within two minutes.
      task('forecasts', 20 * SECOND, (stopped) => this.forecasting.run(mayGoOn(stopped))),
      // What was measured is known within two minutes.
      task('measuring', 15 * SECOND, (stopped) => this.measure(stopped)),
      task(
        'old deliveries',
        10 * MINUTE,
        batches(this.longPool, 5_000, 'select forget_deliveries($1) as n'),
        'storage',
      ),
      task(
        'old changes',
        10 * MINUTE,
        batches(this.longPool, 20_000, 'select forget_changes($1) as n'),
        'storage',
      ),
      task('months ahead', 10 * MINUTE, () => addMonthsAhead(this.longPool), 'storage'),
      ...(months === undefined
        ? []
        : [task('old readings', HOUR, (stopped) => this.removeOldReadings(months, stopped), 'storage')]),
      task('old notices', 10 * MINUTE, () => this.notices.forget(this.longPool), 'storage'),
    ];
  }

  private measure(stopped: AbortSignal): Promise<void> {
    return measureDeliveries(this.longPool, { logger: this.logger, mayGoOn: mayGoOn(stopped) });
  }

  private async findSilentTanks(stopped: AbortSignal): Promise<void> {
    await batches(this.pool, 1_000, 'select mark_silent_tanks($1) as n')(stopped);
    // So that the age of the last round also shows when tanks cannot be judged.
    if (this.scheduler.failing['judging'] !== 1) await this.pool.query('select note_background_round()');
  }

  private async dropOldUplinks(stopped: AbortSignal): Promise<void> {
    const dropped = await batches(this.longPool, 10_000, 'select drop_old_uplinks($1) as n')(stopped);
    this.metrics.count('uplinks_dropped_total', {}, dropped);
    if (dropped > 0) this.logger.warn({ dropped }, 'uplinks were dropped from quarantine');
  }

  private async removeOldReadings(months: number, stopped: AbortSignal): Promise<void> {
    const keepFrom = await firstMonthKept(this.longPool, months);
    const removed = await removeOldReadings(this.longPool, keepFrom, { mayGoOn: mayGoOn(stopped) });
    if (removed > 0) this.logger.info({ removed, before: keepFrom }, 'old readings were removed');
  }
}

const mayGoOn = (stopped: AbortSignal) => (): boolean => !stopped.aborted;

function task(name: string, everyMs: number, run: Task['run'], lane?: string): Task {
  return { name, everyMs, run, lane };
}

/**
 * Runs a statement that processes up to $1 items and returns how many, until a batch is not full. Returns the total. A batch is so small that
 * nobody waits for it.
 */
function batches(pool: Database, size: number, statement: string): (stopped: AbortSignal) => Promise<number> {
  return async (stopped) => {
    let all = 0;
    let done = size;
    while (done === size && !stopped.aborted) {
      const { rows } = await pool.query<{ n: number }>(statement, [size]);
      done = rows[0]?.n ?? 0;
      all += done;
    }
    return all;
  };
}
