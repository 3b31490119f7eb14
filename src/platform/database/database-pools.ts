// The pools of reads, readings and background work, each with what its sessions may do, opened and closed here; TypeORM has its own, for
// changes. They connect when there is something to do, so a service that only reads needs nothing of the rest.
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolConfig } from 'pg';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import {
  mqttPoolOptions,
  readPoolOptions,
  watchPoolOptions,
  workerPoolOptions,
  writePoolOptions,
} from './data-source.js';
import { asUnreachable } from './failures.js';
import { openPool, withClient } from './pool.js';

export interface ReadServer {
  readonly reads: Pool;
  /** One connection beside, to ask for the server's position while all others are busy. */
  readonly watch: Pool;
}

export class DatabasePools implements OnApplicationShutdown {
  readonly primary: ReadServer;
  /** In the order of DATABASE_READ_URLS. */
  readonly standbys: readonly ReadServer[];
  /** For the readings that come in. */
  readonly writes: Pool;
  readonly worker: Pool;
  readonly longWork: Pool;
  readonly mqtt: Pool;
  private readonly opened: Pool[] = [];

  constructor(
    private readonly url: string,
    config: Config,
    logger: Logger,
  ) {
    const server = (readUrl: string): ReadServer => {
      const options = readPoolOptions(readUrl, config, logger);
      return { reads: this.open(options), watch: this.open(watchPoolOptions(options)) };
    };
    const writeUrl = config.ingest.databaseUrl ?? url;
    this.primary = server(url);
    this.standbys = config.readUrls.map(server);
    this.writes = this.open(writePoolOptions(writeUrl, config, logger));
    this.worker = this.open(workerPoolOptions(writeUrl, config, logger));
    this.longWork = this.open(workerPoolOptions(writeUrl, config, logger, 'long-work'));
    this.mqtt = this.open(mqttPoolOptions(writeUrl, logger));
  }

  /** A database out of reach at the start is reported at once: whoever supervises the process starts it again. One that can be read from will do. */
  async tryToConnect(): Promise<this> {
    const failures: unknown[] = [];
    for (const { reads } of [this.primary, ...this.standbys]) {
      try {
        await withClient(reads, () => Promise.resolve());
        return this;
      } catch (error) {
        failures.push(error instanceof Error ? error.cause : error);
      }
    }
    throw asUnreachable(this.url, failures[0]);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.opened.map((pool) => pool.end()));
  }

  private open(options: PoolConfig): Pool {
    const pool = openPool(options);
    this.opened.push(pool);
    return pool;
  }
}
