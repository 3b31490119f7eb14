// What has to be done without being asked: tanks that fell silent are found, old events forgotten, webhooks delivered. Any number
// of processes may do it on one database; each does its part of it.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import { mayNotWrite } from '../database/failures.js';
import type { Logger } from '../logging/logger.js';
import { Deliveries } from './webhooks/deliveries.js';
import { DeliveryWorker, type DeliveryOutcome } from './webhooks/delivery-worker.js';
import { SecretBox } from './webhooks/secrets.js';
import { Sender } from './webhooks/send.js';

/** Silence is told within 75 seconds, however the clocks of several processes stand to each other. */
const SWEEP_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 600_000;

/** Small enough that nobody waits for a batch. */
const TANKS_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 5_000;

const SWEEP = 'select mark_silent_tanks($1) as n';
const FORGET = `select forget_events(now() - $2 * interval '1 day', $1) as n`;

export class Background {
  private readonly worker: DeliveryWorker | undefined;
  readonly deliveries: Deliveries | undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  private stopping = false;
  private underWay: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly config: Pick<Config, 'webhooks' | 'eventRetentionDays'>,
    private readonly logger: Logger,
    onDelivery: (outcome: DeliveryOutcome) => void = () => undefined,
  ) {
    const { secretKey } = config.webhooks;
    if (secretKey === undefined) return;
    const box = new SecretBox(Buffer.from(secretKey, 'base64'));
    this.deliveries = new Deliveries(pool, box, `${hostname()} ${process.pid} ${randomUUID()}`);
    this.worker = new DeliveryWorker(this.deliveries, new Sender(config.webhooks), logger, onDelivery);
  }

  start(): void {
    this.repeat(SWEEP_EVERY_MS, () => this.inBatches(SWEEP, [TANKS_AT_ONCE]));
    this.repeat(FORGET_EVERY_MS, () =>
      this.inBatches(FORGET, [EVENTS_AT_ONCE, this.config.eventRetentionDays]),
    );
    this.worker?.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all([this.underWay, this.worker?.stop()]);
  }

  /** One thing at a time; what cannot be done now is done the next time. */
  private repeat(everyMs: number, work: () => Promise<void>): void {
    const run = (): void => {
      this.underWay = this.underWay.then(work).catch((error: unknown) => this.tell(error));
    };
    run();
    this.timers.push(setInterval(run, everyMs).unref());
  }

  private tell(error: unknown): void {
    if (this.stopping) return;
    const reason = mayNotWrite(error)
      ? 'this database role may not do the background work: set WORKER=off, and run "worker" with one that may'
      : 'background work waits for the database';
    this.logger.warn({ err: error }, reason);
  }

  /** `statement` does at most $1 of its work and returns how much it did. */
  private async inBatches(statement: string, values: readonly [number, ...number[]]): Promise<void> {
    let done = values[0];
    while (done === values[0] && !this.stopping) {
      const { rows } = await this.pool.query<{ n: number }>(statement, [...values]);
      done = rows[0]?.n ?? 0;
    }
  }
}
