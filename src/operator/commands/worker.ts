// `worker`: the service's background work in a process of its own, until it is stopped.
import { NestFactory } from '@nestjs/core';
import { once } from 'node:events';
import type { Pool } from 'pg';
import { Background } from '../../background/background.js';
import { BackgroundModule } from '../../background/background.module.js';
import { ADVICE, findMissingRights } from '../../background/rights.js';
import { ConfigModule, loadConfig, type Config } from '../../platform/config/config.js';
import { warningsOfSettings } from '../../platform/config/ignored-settings.js';
import { VERSION } from '../../platform/config/project.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { asUnreachable } from '../../platform/database/failures.js';
import { WORKER_POOL } from '../../platform/database/pool.js';
import { SchedulerModule } from '../../platform/lifecycle/scheduler.js';
import { createLogger, LoggingModule, NestLogger, type Logger } from '../../platform/logging/logger.js';
import { MetricsModule } from '../../platform/metrics/metrics.js';
import { startTracing, stopTracing } from '../../platform/tracing/tracing.js';
import { MqttKey } from '../../sensors/mqtt/key.js';
import { command } from './command.js';
import { demoOption, withDatabaseUrl, type DemoChoice } from './with-database.js';

/** For the end of the connections to the database, when spans could not be sent. */
const LAST_SPANS_MS = 1_000;

class WorkerModule {}

export const workerCommand = command(
  'worker',
  'judge tanks, make forecasts, place changes, deliver webhooks, send mails, take messages of MQTT, remove old events, changes, uplinks and readings, add partitions, until it is stopped; for services with WORKER=false',
)
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const config = loadConfig();
    const logger = createLogger(config.logLevel);
    for (const warning of warningsOfSettings()) logger.warn(warning);
    await withDatabaseUrl(options, (url) => work(url, config, logger));
  });

async function work(url: string, config: Config, logger: Logger): Promise<void> {
  const signal = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'SIGHUP')]);
  const imports = [
    ConfigModule.with(config),
    LoggingModule.with(logger),
    DatabaseModule.ofWorker(url, config, logger),
    MetricsModule,
    SchedulerModule,
    BackgroundModule.with(config),
  ];
  const app = await NestFactory.createApplicationContext(
    { module: WorkerModule, imports },
    { logger: new NestLogger(logger), abortOnError: false },
  );
  try {
    const pool = app.get<Pool>(WORKER_POOL);
    await pool.query('select 1').catch((error: unknown) => {
      throw asUnreachable(url, error);
    });
    const missing = await findMissingRights(pool);
    if (missing !== undefined) throw new Error(`The background work cannot be done: ${missing}. ${ADVICE}.`);
    await startTracing(logger);
    if (config.mqtt !== undefined) await app.get(MqttKey).checkAtStart();
    app.get(Background).start();
    const webhooks = config.webhooks.secretKeys.length === 0 ? 'off' : 'on';
    const mail = config.mail.server === undefined ? 'off' : 'on';
    logger.info({ version: VERSION, webhooks, mail }, 'working');
    // While the database is away nothing else keeps the process: the tasks' timers do not.
    const alive = setInterval(() => undefined, 60_000);
    await signal;
    clearInterval(alive);
    logger.info('stopping');
  } finally {
    await app.close();
  }
  // A receiver that hangs would keep the process for its own time.
  if (!(await stopTracing())) setTimeout(() => process.exit(), LAST_SPANS_MS).unref();
}
