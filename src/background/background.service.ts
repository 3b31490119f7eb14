// The background work inside the service, on two connections of its own. WORKER=false leaves it to others.
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { CONFIG, type Config } from '../platform/config/config.js';
import { MQTT_POOL, WORKER_POOL } from '../platform/database/pool.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { createConsumer } from '../sensors/mqtt/create-consumer.js';
import { Background } from './background.js';
import { ADVICE, findObstacle } from './obstacles.js';

/** How often the rights of the role are checked again. */
const CHECK_AGAIN_MS = 30_000;

@Injectable()
export class BackgroundService implements BeforeApplicationShutdown {
  private readonly background: Background;
  private stopped: Promise<void> | undefined;
  private obstacle: string | undefined;

  constructor(
    @Inject(WORKER_POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
    @Inject(MQTT_POOL) mqttPool: Pool,
  ) {
    const consumer = createConsumer(config, mqttPool, logger, metrics);
    this.background = new Background(pool, config, logger, metrics, consumer);
  }

  /** Called when the service listens: one that cannot start does none of it. */
  start(): void {
    if (this.config.worker) void this.startWhenAllowed();
  }

  private async startWhenAllowed(): Promise<void> {
    // During an outage the work itself waits for the database, and logs that.
    const obstacle = await findObstacle(this.pool, this.config).catch(() => undefined);
    if (this.stopped !== undefined) return;
    if (obstacle === undefined) {
      if (this.obstacle !== undefined) this.logger.info('background work begins');
      this.background.start();
      return;
    }
    if (obstacle !== this.obstacle) this.logger.warn(`background work is off: ${obstacle}. ${ADVICE}`);
    this.obstacle = obstacle;
    setTimeout(() => void this.startWhenAllowed(), CHECK_AGAIN_MS).unref();
  }

  /** Begins nothing more; resolves when what is under way has ended. */
  stop(): Promise<void> {
    return (this.stopped ??= this.background.stop());
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
