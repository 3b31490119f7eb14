// The database: TypeORM's data source, the one place reads go through, and the one place readings are written through.
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { openDataSource, serviceOptions, writePoolOptions } from './data-source.js';
import { Reads } from './reads.js';
import { Writes } from './writes.js';

@Global()
@Module({})
export class DatabaseModule {
  static at(url: string): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      // A database out of reach at the start is told at once; whoever supervises the process starts it again.
      useFactory: (config: Config) => ({
        ...serviceOptions(url, config),
        autoLoadEntities: true, // each module registers its own
        retryAttempts: 0,
      }),
      dataSourceFactory: async (options) => {
        if (options?.type !== 'postgres') throw new Error('The database is a PostgreSQL one.');
        return openDataSource(options);
      },
    });
    const writes = {
      provide: Writes,
      inject: [CONFIG],
      useFactory: (config: Config) => new Writes(writePoolOptions(config.ingest.databaseUrl ?? url, config)),
    };
    return {
      module: DatabaseModule,
      imports: [typeOrm],
      providers: [Reads, writes],
      exports: [Reads, Writes],
    };
  }
}
