// The background work: judges what happened to tanks, finds silent ones, places changes in their feed, removes old events, changes,
// readings and uplinks, delivers webhooks. Any number of processes may do it on one database; each does its part.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import { isStatementFailure, mayNotWrite } from '../database/failures.js';
import { firstMonthKept, removeOldReadings } from '../telemetry/old-readings.js';
import { addMonthsAhead } from '../telemetry/partitions.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { judgeAll } from './judging.js';
import { Deliveries } from './webhooks/deliveries.js';
import { DeliveryWorker } from './webhooks/delivery-worker.js';
import { SecretBox } from './webhooks/secrets.js';
import { Sender } from './webhooks/send.js';

/** An event is recorded within a second of the write that caused it. */
const JUDGE_EVERY_MS = 250;
/** A change is given out within two seconds of its commit. */
const PLACE_EVERY_MS = 250;
/** Silence is reported within 75 seconds, whatever the clocks of several processes show. */
const SWEEP_EVERY_MS = 30_000;
/** A quarantine that is too full is so for less than a minute. */
const DROP_UPLINKS_EVERY_MS = 20_000;
const REMOVE_EVENTS_EVERY_MS = 600_000;
const ADD_MONTHS_EVERY_MS = 600_000;
const REMOVE_READINGS_EVERY_MS = 3_600_000;

/** Small enough that nobody waits for a batch. */
const TANKS_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 5_000;
const UPLINKS_AT_ONCE = 10_000;
const CHANGES_AT_ONCE = 20_000;

type Lane = 'judging' | 'changes' | 'alerts' | 'readings';

export class Background {
  private readonly worker: DeliveryWorker | undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  private stopping = false;
  private hasJudgingFailed = false;
  /** Side by side, since the first removal of old readings, or of changes that nobody removed for long, may take hours. */
  private readonly underWay: Record<Lane, Promise<unknown>> = {
    judging: Promise.resolve(),
    changes: Promise.resolve(),
    alerts: Promise.resolve(),
    readings: Promise.resolve(),
  };

  constructor(
    private readonly pool: Pick<Pool, 'query' | 'connect'>,
    private readonly config: Pick<Config, 'webhooks' | 'eventRetentionDays' | 'telemetryRetentionMonths'>,
    private readonly logger: Logger,
    private readonly metrics?: Pick<Metrics, 'countDelivery' | 'countDroppedUplinks'>,
  ) {
    const { secretKeys } = config.webhooks;
    if (secretKeys.length === 0) return;
    const claimant = `${hostname()} ${process.pid} ${randomUUID()}`;
    const deliveries = new Deliveries(pool, new SecretBox(secretKeys), claimant);
    this.worker = new DeliveryWorker(deliveries, new Sender(config.webhooks), logger, (outcome) =>
      metrics?.countDelivery(outcome),
    );
  }

  start(): void {
    this.repeat('judging', JUDGE_EVERY_MS, () => this.judge());
    this.repeat('changes', PLACE_EVERY_MS, () => this.placeChanges());
    this.repeat('alerts', SWEEP_EVERY_MS, () => this.findSilentTanks());
    this.repeat('alerts', DROP_UPLINKS_EVERY_MS, () => this.dropOldUplinks());
    this.repeat('alerts', REMOVE_EVENTS_EVERY_MS, () => this.removeOldEvents());
    this.repeat('readings', REMOVE_EVENTS_EVERY_MS, () => this.removeOldChanges());
    this.repeat('readings', ADD_MONTHS_EVERY_MS, () => addMonthsAhead(this.pool));
    const { telemetryRetentionMonths: months } = this.config;
    if (months !== undefined) {
      this.repeat('readings', REMOVE_READINGS_EVERY_MS, () => this.removeOldReadings(months));
    }
    this.worker?.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all([...Object.values(this.underWay), this.worker?.stop()]);
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

  private removeOldEvents(): Promise<number> {
    const statement = `select forget_events(now() - $2 * interval '1 day', $1) as n`;
    return this.inBatches(statement, [EVENTS_AT_ONCE, this.config.eventRetentionDays]);
  }

  private async dropOldUplinks(): Promise<void> {
    const dropped = await this.inBatches('select drop_old_uplinks($1) as n', [UPLINKS_AT_ONCE]);
    this.metrics?.countDroppedUplinks(dropped);
    if (dropped > 0) this.logger.warn({ dropped }, 'uplinks were dropped from quarantine');
  }

  private placeChanges(): Promise<number> {
    return this.inBatches('select place_changes($1) as n', [CHANGES_AT_ONCE]);
  }

  private removeOldChanges(): Promise<number> {
    return this.inBatches('select forget_changes($1) as n', [CHANGES_AT_ONCE]);
  }

  private async removeOldReadings(months: number): Promise<void> {
    const keepFrom = await firstMonthKept(this.pool, months);
    const removed = await removeOldReadings(this.pool, keepFrom, { mayGoOn: () => !this.stopping });
    if (removed > 0) this.logger.info({ removed, before: keepFrom }, 'old readings were removed');
  }

  /** `statement` does at most $1 of its work and returns how much it did; this, how much that was in all. */
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
