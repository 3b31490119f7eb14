// `worker`: the service's background work in a process of its own, until it is stopped.
import { once } from 'node:events';
import type { Pool } from 'pg';
import { Background } from '../../background/background.js';
import { addBackgroundMetrics, type BackgroundAges, type MailAges } from '../../background/event-metrics.js';
import { ADVICE, findObstacle } from '../../background/obstacles.js';
import { loadConfig, type Config } from '../../platform/config/config.js';
import { warningsOfSettings } from '../../platform/config/ignored-settings.js';
import { VERSION } from '../../platform/config/project.js';
import { asUnreachable, mqttPoolOptions, workerPoolOptions } from '../../platform/database/data-source.js';
import { openPool } from '../../platform/database/pool.js';
import { createLogger, type Logger } from '../../platform/logging/logger.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { createConsumer } from '../../sensors/mqtt/create-consumer.js';
import { startTracing, stopTracing } from '../../platform/tracing/tracing.js';
import { command } from './command.js';
import { demoOption, withDatabaseUrl, type DemoChoice } from './with-database.js';

/** For the end of the connections to the database, when spans could not be sent. */
const LAST_SPANS_MS = 1_000;

export const workerCommand = command(
  'worker',
  'judge tanks, make forecasts, place changes, deliver webhooks, send mails, take messages of MQTT, remove old events, changes, uplinks and readings, add partitions, until it is stopped; for services with WORKER=false',
)
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const config = loadConfig();
    const logger = createLogger(config.logLevel);
    for (const warning of warningsOfSettings()) logger.warn(warning);
    await withDatabaseUrl(options, async (url) => {
      const pool = openPool(workerPoolOptions(url, config, logger));
      const mqttPool = openPool(mqttPoolOptions(url, logger));
      try {
        await pool.query('select 1').catch((error: unknown) => {
          throw asUnreachable(url, error);
        });
        const obstacle = await findObstacle(pool, config);
        if (obstacle !== undefined)
          throw new Error(`The background work cannot be done: ${obstacle}. ${ADVICE}.`);
        await workUntilStopped(config, logger, pool, mqttPool);
      } finally {
        await Promise.all([pool.end(), mqttPool.end()]);
      }
    });
  });

async function workUntilStopped(config: Config, logger: Logger, pool: Pool, mqttPool: Pool): Promise<void> {
  const metrics = await startMetrics(config, pool);
  await startTracing(logger);
  const consumer = createConsumer(config, mqttPool, logger, metrics);
  await consumer?.checkAtStart();
  const background = new Background(pool, config, logger, metrics, consumer);
  background.start();
  const webhooks = config.webhooks.secretKeys.length === 0 ? 'off' : 'on';
  const mail = config.mail.server === undefined ? 'off' : 'on';
  logger.info({ version: VERSION, webhooks, mail }, 'working');
  // While the database is away nothing else keeps the process: its timers do not.
  const alive = setInterval(() => undefined, 60_000);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'SIGHUP')]);
  clearInterval(alive);
  logger.info('stopping');
  await background.stop();
  metrics?.onApplicationShutdown();
  // A receiver that hangs would keep the process for its own time.
  if (!(await stopTracing())) setTimeout(() => process.exit(), LAST_SPANS_MS).unref();
}

/** On METRICS_PORT. Loaded only when it is set. */
async function startMetrics(config: Config, pool: Pool): Promise<Metrics | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const { Metrics: WorkerMetrics } = await import('../../platform/metrics/metrics.js');
  const metrics = new WorkerMetrics(config, pool);
  addBackgroundMetrics(
    metrics,
    async ({ text }) => (await pool.query<BackgroundAges & MailAges>(text)).rows[0],
  );
  await metrics.onModuleInit();
  return metrics;
}
