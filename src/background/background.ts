// The background work: judges tanks, places changes, delivers webhooks, sends mails, takes messages of MQTT, forecasts, measures deliveries, removes old events, activity,
// changes, uplinks and readings, adds partitions. Any number of processes may do it on one database; each does its part.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Config } from '../platform/config/config.js';
import { isStatementFailure, mayNotWrite } from '../platform/database/failures.js';
import { firstMonthKept, removeOldReadings } from '../telemetry/storage/old-readings.js';
import { addMonthsAhead } from '../telemetry/storage/partitions.js';
import type { Logger } from '../platform/logging/logger.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { judgeAll } from '../alerts/judging.js';
import { Forecasting } from '../forecasts/forecasting.js';
import { measureDeliveries } from '../runs/measuring.js';
import type { StartsAndStops } from '../sensors/mqtt/create-consumer.js';
import { NoticeWorker, type MailConfig } from '../notices/notice-worker.js';
import { Deliveries } from '../webhooks/deliveries.js';
import { DeliveryWorker } from '../webhooks/delivery-worker.js';
import { SecretBox } from '../webhooks/secrets.js';
import { Sender } from '../webhooks/send.js';

/** An event is recorded within a second of the write that caused it. */
const JUDGE_EVERY_MS = 250;
/** A change is given out within two seconds of its commit. */
const PLACE_EVERY_MS = 250;
/** Silence is reported within 75 seconds, whatever the clocks of several processes show. */
const SWEEP_EVERY_MS = 30_000;
/** A quarantine that is too full is so for less than a minute. */
const DROP_UPLINKS_EVERY_MS = 20_000;
/** A tank with news gets its forecast within two minutes. */
const FORECAST_EVERY_MS = 20_000;
/** What was measured is known within two minutes. */
const MEASURE_EVERY_MS = 15_000;
/** Until then, what is to be added to the counts of the activity is summed up by its readers. */
const TIDY_ACTIVITY_EVERY_MS = 20_000;
const REMOVE_EVENTS_EVERY_MS = 600_000;
const ADD_MONTHS_EVERY_MS = 600_000;
const REMOVE_READINGS_EVERY_MS = 3_600_000;

/** Small enough that nobody waits for a batch. */
const TANKS_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 5_000;
const UPLINKS_AT_ONCE = 10_000;
const ACTIVITY_AT_ONCE = 5_000;
const DELIVERIES_AT_ONCE = 5_000;
const CHANGES_AT_ONCE = 20_000;

const FORGET_EVENTS = `select forget_events(now() - $2 * interval '1 day', $1) as n`;

/** `alerts`: silence, quarantine, old events and activity; `readings`: what may take hours, old changes and readings, deliveries to nobody, and new months. */
type Lane = 'judging' | 'changes' | 'alerts' | 'readings' | 'forecasts' | 'runs';

export class Background {
  private readonly worker: DeliveryWorker | undefined;
  private readonly notices: NoticeWorker;
  private readonly timers: NodeJS.Timeout[] = [];
  private stopping = false;
  private hasJudgingFailed = false;
  /** Side by side, since the first removal of old readings, or of changes that nobody removed for long, may take hours. */
  private readonly underWay: Record<Lane, Promise<unknown>> = {
    judging: Promise.resolve(),
    changes: Promise.resolve(),
    alerts: Promise.resolve(),
    readings: Promise.resolve(),
    forecasts: Promise.resolve(),
    runs: Promise.resolve(),
  };
  private readonly forecasting: Forecasting;

  constructor(
    private readonly pool: Pick<Pool, 'query' | 'connect'>,
    private readonly config: Pick<Config, 'eventRetentionDays' | 'telemetryRetentionMonths'> & MailConfig,
    private readonly logger: Logger,
    private readonly metrics?: Pick<Metrics, 'countDelivery' | 'countDroppedUplinks' | 'countMail'>,
    /** Of messages of MQTT. */
    private readonly consumer?: StartsAndStops,
  ) {
    this.forecasting = new Forecasting(pool, () => !this.stopping);
    this.notices = new NoticeWorker(pool, config, logger, (kind, outcome) =>
      metrics?.countMail(kind, outcome),
    );
    const { secretKeys } = config.webhooks;
    if (secretKeys.length === 0) return;
    const claimant = `${hostname()} ${process.pid} ${randomUUID()}`;
    const deliveries = new Deliveries(pool, new SecretBox(secretKeys), claimant);
    this.worker = new DeliveryWorker(deliveries, new Sender(config.webhooks), logger, (outcome, webhook) =>
      metrics?.countDelivery(outcome, webhook),
    );
  }

  start(): void {
    const { eventRetentionDays: days, telemetryRetentionMonths: months } = this.config;
    this.repeat('judging', JUDGE_EVERY_MS, () => this.judge());
    this.repeat('changes', PLACE_EVERY_MS, () =>
      this.inBatches('select place_changes($1) as n', [CHANGES_AT_ONCE]),
    );
    this.repeat('alerts', SWEEP_EVERY_MS, () => this.findSilentTanks());
    this.repeat('alerts', DROP_UPLINKS_EVERY_MS, () => this.dropOldUplinks());
    this.repeat('alerts', REMOVE_EVENTS_EVERY_MS, () =>
      this.inBatches(FORGET_EVENTS, [EVENTS_AT_ONCE, days]),
    );
    this.repeat('readings', REMOVE_EVENTS_EVERY_MS, () =>
      this.inBatches('select forget_deliveries($1) as n', [DELIVERIES_AT_ONCE]),
    );
    this.repeat('alerts', TIDY_ACTIVITY_EVERY_MS, () =>
      this.inBatches('select tidy_activity($1) as n', [ACTIVITY_AT_ONCE]),
    );
    this.repeat('forecasts', FORECAST_EVERY_MS, () => this.forecasting.run());
    this.repeat('runs', MEASURE_EVERY_MS, () => measureDeliveries(this.pool));
    this.repeat('readings', REMOVE_EVENTS_EVERY_MS, () =>
      this.inBatches('select forget_changes($1) as n', [CHANGES_AT_ONCE]),
    );
    this.repeat('readings', ADD_MONTHS_EVERY_MS, () => addMonthsAhead(this.pool));
    if (months !== undefined) {
      this.repeat('readings', REMOVE_READINGS_EVERY_MS, () => this.removeOldReadings(months));
    }
    this.repeat('readings', REMOVE_EVENTS_EVERY_MS, () => this.notices.forget());
    this.worker?.start();
    this.notices.start();
    this.consumer?.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all([
      ...Object.values(this.underWay),
      this.worker?.stop(),
      this.notices.stop(),
      this.consumer?.stop(),
    ]);
  }

  /** One thing at a time in a lane. What fails is tried again the next time, and logged once until it succeeds. */
  private repeat(lane: Lane, everyMs: number, work: () => Promise<unknown>): void {
    let isWaiting = false;
    let hasFailed = false;
    const run = (): void => {
      if (isWaiting) return;
      isWaiting = true;
      this.underWay[lane] = this.underWay[lane]
        .then(work)
        .then(
          () => (hasFailed = false),
          (error: unknown) => {
            if (!hasFailed) this.logFailure(error);
            hasFailed = true;
          },
        )
        .finally(() => (isWaiting = false));
    };
    run();
    this.timers.push(setInterval(run, everyMs).unref());
  }

  private async judge(): Promise<void> {
    try {
      await judgeAll(this.pool, () => !this.stopping);
      this.hasJudgingFailed = false;
    } catch (error) {
      this.hasJudgingFailed = true;
      throw error;
    }
  }

  private logFailure(error: unknown): void {
    if (this.stopping) return;
    const reason = mayNotWrite(error)
      ? 'this database role may not do the background work: set WORKER=false, and run "worker" with one that may'
      : error instanceof Error && isStatementFailure(error)
        ? 'a part of the background work failed, and is tried again'
        : 'background work waits for the database';
    this.logger.warn({ err: error }, reason);
  }

  private async findSilentTanks(): Promise<void> {
    await this.inBatches('select mark_silent_tanks($1) as n', [TANKS_AT_ONCE]);
    // So that the age of the last round also shows when tanks cannot be judged.
    if (!this.hasJudgingFailed) await this.pool.query('select note_background_round()');
  }

  private async dropOldUplinks(): Promise<void> {
    const dropped = await this.inBatches('select drop_old_uplinks($1) as n', [UPLINKS_AT_ONCE]);
    this.metrics?.countDroppedUplinks(dropped);
    if (dropped > 0) this.logger.warn({ dropped }, 'uplinks were dropped from quarantine');
  }

  private async removeOldReadings(months: number): Promise<void> {
    const keepFrom = await firstMonthKept(this.pool, months);
    const removed = await removeOldReadings(this.pool, keepFrom, { mayGoOn: () => !this.stopping });
    if (removed > 0) this.logger.info({ removed, before: keepFrom }, 'old readings were removed');
  }

  /** Runs a statement that processes up to $1 items and returns how many, until a batch is not full. Returns the total. */
  private async inBatches(statement: string, values: readonly [number, ...number[]]): Promise<number> {
    let all = 0;
    let done = values[0];
    while (done === values[0] && !this.stopping) {
      const { rows } = await this.pool.query<{ n: number }>(statement, [...values]);
      done = rows[0]?.n ?? 0;
      all += done;
    }
    return all;
  }
}
