// What one key may do at a time, wherever it asks.
import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { CONFIG } from '../../platform/config/config.module.js';
import type { Config } from '../../platform/config/config.js';
import { MANAGE_CONNECTIONS } from '../../platform/database/data-source.js';
import { KeyTurns, LARGE_PAGES, LONG_READS, MANAGING } from './key-turns.js';
import type { PlaceBounds } from './key-places.js';

@Global()
@Module({
  providers: [
    turns(LONG_READS, ({ poolSize }) => ({ total: poolSize, perKey: 2 })),
    // There is one thread that writes: a second one would gain nothing, and leave others no gap.
    turns(LARGE_PAGES, ({ poolSize }) => ({ total: poolSize, perKey: 1 })),
    // A key has more than one of them only while no other key waits.
    turns(MANAGING, () => ({ total: MANAGE_CONNECTIONS, perKey: MANAGE_CONNECTIONS })),
  ],
  exports: [LONG_READS, LARGE_PAGES, MANAGING],
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
