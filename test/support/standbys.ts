// The standbys of a primary, watched as the service does it.
import { pino } from 'pino';
import { loadConfig } from '../../src/platform/config/config.js';
import { DatabasePools } from '../../src/platform/database/database-pools.js';
import { Standbys } from '../../src/platform/database/standbys.js';
import { Scheduler } from '../../src/platform/lifecycle/scheduler.js';
import { stage } from '../faults/support/stage.js';

/** Until the spec ends. */
export async function watchStandbys(primaryUrl: string, readUrls: string[]) {
  const config = { ...loadConfig({}), readUrls };
  const logger = pino({ level: 'silent' });
  const pools = new DatabasePools(primaryUrl, config, logger);
  const scheduler = new Scheduler(logger);
  stage.add({ stop: () => scheduler.stop().then(() => pools.onApplicationShutdown()) });
  return { pools, standbys: await new Standbys(pools, config, logger, scheduler).start() };
}
