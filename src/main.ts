// Starts the service; nothing else.
import { loadConfig } from './config/config.js';
import { createService } from './app.setup.js';
import { createLogger } from './logging/logger.js';

const config = loadConfig();
const app = await createService({
  config,
  databaseUrl: config.databaseUrl!,
  logger: createLogger(config.logLevel),
});
await app.listen(config.port, config.host);
