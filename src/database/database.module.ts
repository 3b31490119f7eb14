// The database: TypeORM's data source, which knows the entities and tries the server at the start; the pools, and what is handed one:
// the place reads go through, the place readings are written through, and the watch over standbys.
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { asPostgres, openDataSource, serviceOptions } from './data-source.js';
import { DatabasePools } from './database-pools.js';
import { PRIMARY_POOL, WORKER_POOL } from './pool.js';
import { FRESH_READS, Reads } from './reads.js';
import { FreshReads, StandbyReads } from './standby-reads.js';
import { Standbys } from './standbys.js';
import { Writes } from './writes.js';

@Global()
@Module({})
export class DatabaseModule {
  static at(url: string, config: Config, logger: Logger): DynamicModule {
    const tell = (facts: object, message: string): void => logger.warn(facts, message);
    const maxWaiting = config.limits.maxWaitingRequests;
    const typeOrm = TypeOrmModule.forRootAsync({
      // A database out of reach at the start is told at once; whoever supervises the process starts it again.
      useFactory: () => ({
        ...serviceOptions(url, config, tell),
        autoLoadEntities: true, // each module registers its own
        retryAttempts: 0,
      }),
      dataSourceFactory: (given) => {
        const options = asPostgres(given);
        const others = config.readUrls.map((other) => ({
          ...options,
          ...serviceOptions(other, config, tell),
        }));
        return openAny(options, others);
      },
    });
    const providers = [
      {
        provide: DatabasePools,
        useFactory: () => new DatabasePools(url, config, logger),
      },
      {
        provide: PRIMARY_POOL,
        inject: [DatabasePools],
        useFactory: ({ primary }: DatabasePools) => primary.reads,
      },
      {
        provide: WORKER_POOL,
        inject: [DatabasePools],
        useFactory: ({ worker }: DatabasePools) => worker,
      },
      {
        provide: Writes,
        inject: [DatabasePools],
        useFactory: ({ writes }: DatabasePools) => new Writes(writes),
      },
      {
        provide: Standbys,
        inject: [DatabasePools],
        useFactory: (pools: DatabasePools) => new Standbys(pools, config, logger).start(),
      },
      {
        provide: Reads,
        inject: [PRIMARY_POOL, Standbys],
        useFactory: (primary: Pool, standbys: Standbys) =>
          standbys.areNone ? new Reads(primary, maxWaiting) : new StandbyReads(primary, standbys, maxWaiting),
      },
      {
        provide: FRESH_READS,
        inject: [PRIMARY_POOL, Reads, Standbys],
        useFactory: (primary: Pool, reads: Reads, standbys: Standbys) =>
          standbys.areNone ? reads : new FreshReads(primary, standbys, maxWaiting),
      },
    ];
    return {
      module: DatabaseModule,
      imports: [typeOrm],
      providers,
      exports: [Reads, FRESH_READS, Writes, PRIMARY_POOL, WORKER_POOL, Standbys],
    };
  }
}

/** TypeORM wants a server to start with. One that can read is enough; why the first is none is told when all are out of reach. */
async function openAny(
  first: PostgresDataSourceOptions,
  others: readonly PostgresDataSourceOptions[],
): Promise<DataSource> {
  try {
    return await openDataSource(first);
  } catch (error) {
    for (const other of others) {
      const opened = await openDataSource(other).catch(() => undefined);
      if (opened !== undefined) return opened;
    }
    throw error;
  }
}
