// The background work of a service that delivers webhooks.
import type { Pool } from 'pg';
import { pino } from 'pino';
import { Background } from '../../src/background/background.js';
import type { Logger } from '../../src/platform/logging/logger.js';

export function startWorker(
  sql: Pool,
  secretKey: string,
  logger: Logger = pino({ level: 'silent' }),
): Background {
  const webhooks = { secretKeys: [secretKey], allowPrivate: true, nameServers: [] };
  const worker = new Background(
    sql,
    { webhooks, eventRetentionDays: 90, telemetryRetentionMonths: undefined },
    logger,
  );
  worker.start();
  return worker;
}
