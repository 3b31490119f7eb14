// The database: TypeORM's data source, which knows the entities and tries the server at the start; the one place reads go
// through, and the one place readings are written through.
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { openDataSource, serviceOptions, writePoolOptions } from './data-source.js';
import { PRIMARY_POOL } from './pool.js';
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
      dataSourceFactory: async (options) => {
        if (options?.type !== 'postgres') throw new Error('The database is a PostgreSQL one.');
        const others = config.readUrls.map((other) => ({
          ...options,
          ...serviceOptions(other, config, tell),
        }));
        return openAny(options, others);
      },
    });
    const providers = [
      {
        provide: Standbys,
        useFactory: () => new Standbys(url, config, logger).start(),
      },
      {
        provide: PRIMARY_POOL,
        inject: [Standbys],
        useFactory: (standbys: Standbys) => standbys.primary.pool,
      },
      {
        provide: Reads,
        inject: [PRIMARY_POOL, Standbys],
        useFactory: (pool: Pool, standbys: Standbys) =>
          standbys.areNone ? new Reads(pool, maxWaiting) : new StandbyReads(standbys, maxWaiting),
      },
      {
        provide: FRESH_READS,
        inject: [Reads, Standbys],
        useFactory: (reads: Reads, standbys: Standbys) =>
          standbys.areNone ? reads : new FreshReads(standbys, maxWaiting),
      },
      {
        provide: Writes,
        useFactory: () => new Writes(writePoolOptions(config.ingest.databaseUrl ?? url, config, tell)),
      },
    ];
    return {
      module: DatabaseModule,
      imports: [typeOrm],
      providers,
      exports: [Reads, FRESH_READS, Writes, PRIMARY_POOL, Standbys],
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
