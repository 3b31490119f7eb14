// The background work of a service that delivers webhooks.
import type { Pool } from 'pg';
import { pino } from 'pino';
import { Background } from '../../src/background/background.js';
import type { Logger } from '../../src/platform/logging/logger.js';

/** Of its sender: a receiver may be silent for as long as a test on a busy machine needs. */
export const PATIENCE_MS = 100_000;

export function startWorker(
  sql: Pool,
  secretKey: string,
  logger: Logger = pino({ level: 'silent' }),
): Background {
  const addresses = { allowPrivate: true, nameServers: [] };
  const webhooks = { ...addresses, secretKeys: [secretKey], timeoutMs: PATIENCE_MS };
  const worker = new Background(
    sql,
    { webhooks, eventRetentionDays: 90, telemetryRetentionMonths: undefined },
    logger,
  );
  worker.start();
  return worker;
}
