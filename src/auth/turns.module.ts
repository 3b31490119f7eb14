// What one key may do at a time, wherever it asks.
import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { MANAGE_CONNECTIONS } from '../database/data-source.js';
import { KeyTurns, LONG_READS, MANAGING } from './key-turns.js';
import type { PlaceBounds } from './key-places.js';

/** While one is written to its socket, the next is read. */
const LONG_READS_OF_KEY = 2;

@Global()
@Module({
  providers: [
    turns(LONG_READS, ({ poolSize }) => ({ total: poolSize, perKey: LONG_READS_OF_KEY })),
    // A key has more than one of them only while no other key waits.
    turns(MANAGING, () => ({ total: MANAGE_CONNECTIONS, perKey: MANAGE_CONNECTIONS })),
  ],
  exports: [LONG_READS, MANAGING],
})
export class TurnsModule {}

function turns(provide: symbol, boundsOf: (database: Config['database']) => PlaceBounds): FactoryProvider {
  return {
    provide,
    inject: [CONFIG],
    useFactory: ({ database }: Config) =>
      new KeyTurns({ ...boundsOf(database), timeoutMs: database.acquireTimeoutMs }),
  };
}
