// The database: TypeORM's data source, which knows the entities, for transactions; the pools and what uses them: reads, writes of readings,
// the background work, and the watch over standbys.
import { Global, Module } from '@nestjs/common';
import type { DynamicModule, FactoryProvider, InjectionToken } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Config } from '../config/config.js';
import { Scheduler } from '../lifecycle/scheduler.js';
import type { Logger } from '../logging/logger.js';
import { manageOptions } from './data-source.js';
import { DatabasePools } from './database-pools.js';
import { LONG_WORK_POOL, MQTT_POOL, PRIMARY_POOL, WORKER_POOL } from './pool.js';
import { FRESH_READS, Reads } from './reads.js';
import { FreshReads, StandbyReads } from './standby-reads.js';
import { Standbys } from './standbys.js';
import { Transactions } from './transactions.js';
import { IngestWrites } from './ingest-writes.js';

@Global()
@Module({})
export class DatabaseModule {
  static at(url: string, config: Config, logger: Logger): DynamicModule {
    const maxWaiting = config.limits.maxWaitingRequests;
    const typeOrm = TypeOrmModule.forRoot({
      ...manageOptions(config.ingest.databaseUrl ?? url, config, logger),
      autoLoadEntities: true, // each module registers its own
      manualInitialization: true, // by Transactions, when something is changed
    });
    const providers = [
      { provide: DatabasePools, useFactory: () => new DatabasePools(url, config, logger).tryToConnect() },
      fromPools(PRIMARY_POOL, ({ primary }) => primary.reads),
      fromPools(WORKER_POOL, ({ worker }) => worker),
      fromPools(LONG_WORK_POOL, ({ longWork }) => longWork),
      fromPools(MQTT_POOL, ({ mqtt }) => mqtt),
      fromPools(IngestWrites, ({ writes }) => new IngestWrites(writes)),
      Transactions,
      {
        provide: Standbys,
        inject: [DatabasePools, Scheduler],
        useFactory: (pools: DatabasePools, scheduler: Scheduler) =>
          new Standbys(pools, config, logger, scheduler).start(),
      },
      {
        provide: Reads,
        inject: [DatabasePools, Standbys],
        useFactory: ({ primary }: DatabasePools, standbys: Standbys) =>
          standbys.areNone
            ? new Reads(primary.reads, maxWaiting)
            : new StandbyReads(primary.reads, standbys, maxWaiting),
      },
      {
        provide: FRESH_READS,
        inject: [DatabasePools, Reads, Standbys],
        useFactory: ({ primary }: DatabasePools, reads: Reads, standbys: Standbys) =>
          standbys.areNone ? reads : new FreshReads(primary.reads, standbys, maxWaiting),
      },
    ];
    return { module: DatabaseModule, imports: [typeOrm], providers, exports: providers };
  }

  /** For the `worker` command, whose connections are those of the background work. */
  static ofWorker(url: string, config: Config, logger: Logger): DynamicModule {
    const { limits, ingest } = config;
    const own = { ...config, readUrls: [], ingest: { ...ingest, databaseUrl: undefined } };
    const providers = [
      { provide: DatabasePools, useFactory: () => new DatabasePools(url, own, logger) },
      fromPools(WORKER_POOL, ({ worker }) => worker),
      fromPools(LONG_WORK_POOL, ({ longWork }) => longWork),
      fromPools(PRIMARY_POOL, ({ worker }) => worker),
      fromPools(MQTT_POOL, ({ mqtt }) => mqtt),
      fromPools(Reads, ({ worker }) => new Reads(worker, limits.maxWaitingRequests)),
    ];
    return { module: DatabaseModule, providers, exports: providers };
  }
}

function fromPools(provide: InjectionToken, useFactory: (pools: DatabasePools) => unknown): FactoryProvider {
  return { provide, inject: [DatabasePools], useFactory };
}
