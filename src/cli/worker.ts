// `worker`: what the service does without being asked (finds silent tanks, forgets old events and readings, delivers webhooks), in a process
// of its own. Runs until it is stopped.
import { Command } from 'commander';
import { once } from 'node:events';
import { Background } from '../alerts/background.js';
import { loadConfig } from '../config/config.js';
import { poolOf } from '../database/pool.js';
import { createLogger } from '../logging/logger.js';
import { changeDatabase, demoOption, type DemoChoice } from './with-database.js';

export const workerCommand = new Command('worker')
  .description(
    'find silent tanks, forget old events and readings and deliver webhooks, until it is stopped; for services with WORKER=off',
  )
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const config = loadConfig();
    const logger = createLogger(config.logLevel);
    await changeDatabase(options, async (dataSource) => {
      const background = new Background(poolOf(dataSource), config, logger);
      background.start();
      logger.info({ webhooks: config.webhooks.secretKey === undefined ? 'off' : 'on' }, 'working');
      await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'SIGHUP')]);
      logger.info('stopping');
      await background.stop();
    });
  });
