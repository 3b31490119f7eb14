// The service as a process: its configuration, its start and its end.
import 'reflect-metadata';
import { createService } from './app.setup.js';
import { ConfigError, loadConfig, type Config } from './platform/config/config.js';
import { warningsOfSettings } from './platform/config/ignored-settings.js';
import { VERSION } from './platform/config/project.js';
import { DatabaseUnavailable, describeFailure } from './platform/database/failures.js';
import { exitOnSignal, exitOnUncaughtException } from './platform/lifecycle/ending.js';
import { StartError } from './health/start-check.js';
import { listen, stopService } from './app.lifecycle.js';
import { createLogger, type Logger } from './platform/logging/logger.js';
import { startTracing } from './platform/tracing/tracing.js';

export async function startProcess(): Promise<void> {
  try {
    const config = loadConfig();
    const logger = createLogger(config.logLevel);
    exitOnUncaughtException(logger);
    for (const warning of warningsOfSettings()) logger.warn(warning);
    await startTracing(logger);
    if (config.databaseUrl === undefined) {
      const { startDemo } = await import('./demo/start-demo.js');
      await startDemo(config, logger);
    } else {
      await start(config, config.databaseUrl, logger);
    }
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

async function start(config: Config, databaseUrl: string, logger: Logger): Promise<void> {
  const app = await createService({ config, databaseUrl, logger });
  const url = await listen(app, config);
  exitOnSignal((bounds) => stopService(app, bounds, logger), config.shutdown, logger);
  logger.info({ url, version: VERSION }, 'listening');
}

/** What an operator can fix is one clear line; a defect of ours keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError || error instanceof DatabaseUnavailable)
    return error.message;
  const isDefect =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return `The service could not start: ${isDefect ? error.stack : describeFailure(error)}`;
}
