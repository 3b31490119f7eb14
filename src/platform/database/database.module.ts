// The database: TypeORM's data source, which knows the entities and tries the server at the start; the pools and what uses them:
// reads, writes of readings, transactions, and the watch over standbys.
import { Global, Module } from '@nestjs/common';
import type { DynamicModule, FactoryProvider, InjectionToken } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { asPostgres, manageOptions, openDataSource, serviceOptions } from './data-source.js';
import { DatabasePools } from './database-pools.js';
import { MQTT_POOL, PRIMARY_POOL, WORKER_POOL } from './pool.js';
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
    const typeOrm = TypeOrmModule.forRootAsync({
      // A database out of reach at the start is reported at once; whoever supervises the process starts it again.
      useFactory: () => ({
        ...serviceOptions(url, config, logger),
        autoLoadEntities: true, // each module registers its own
        retryAttempts: 0,
      }),
      dataSourceFactory: (given) => {
        const options = asPostgres(given);
        const others = config.readUrls.map((other) => serviceOptions(other, config, logger));
        return openAny([options, ...others.map((other) => ({ ...options, ...other }))]);
      },
    });
    const providers = [
      { provide: DatabasePools, useFactory: () => new DatabasePools(url, config, logger) },
      fromPools(PRIMARY_POOL, ({ primary }) => primary.reads),
      fromPools(WORKER_POOL, ({ worker }) => worker),
      fromPools(MQTT_POOL, ({ mqtt }) => mqtt),
      fromPools(IngestWrites, ({ writes }) => new IngestWrites(writes)),
      {
        provide: Transactions,
        inject: [getDataSourceToken()],
        // The entities of all modules, which TypeORM knows once they are there.
        useFactory: (dataSource: DataSource) =>
          new Transactions(() => manageOptions(config.ingest.databaseUrl ?? url, config, dataSource, logger)),
      },
      fromPools(Standbys, (pools) => new Standbys(pools, config, logger).start()),
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
    return {
      module: DatabaseModule,
      imports: [typeOrm],
      providers,
      exports: [
        Reads,
        FRESH_READS,
        IngestWrites,
        Transactions,
        PRIMARY_POOL,
        WORKER_POOL,
        MQTT_POOL,
        Standbys,
      ],
    };
  }
}

function fromPools(provide: InjectionToken, useFactory: (pools: DatabasePools) => unknown): FactoryProvider {
  return { provide, inject: [DatabasePools], useFactory };
}

/** TypeORM needs one server at the start. Any that can be read from will do; if there is none, the first one's failure is thrown. */
async function openAny(servers: readonly PostgresDataSourceOptions[]): Promise<DataSource> {
  const failures: unknown[] = [];
  for (const server of servers) {
    try {
      return await openDataSource(server);
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}
