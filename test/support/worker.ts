// The background work of a service that delivers webhooks, and with `mail` sends mails.
import type { Pool } from 'pg';
import { pino } from 'pino';
import { Background } from '../../src/background/background.js';
import type { MailConfig } from '../../src/notices/notice-worker.js';
import type { Logger } from '../../src/platform/logging/logger.js';

export const PUBLIC_URL = 'https://tanks.example.com';

/** Of its sender: a receiver may be silent for as long as a test on a busy machine needs. */
export const PATIENCE_MS = 100_000;

export function startWorker(
  sql: Pool,
  secretKey: string,
  logger: Logger = pino({ level: 'silent' }),
  mail: MailConfig['mail'] = { server: undefined, from: undefined, folder: undefined },
): Background {
  const addresses = { allowPrivate: true, nameServers: [] };
  const webhooks = { ...addresses, secretKeys: [secretKey], timeoutMs: PATIENCE_MS };
  const worker = new Background(
    sql,
    { webhooks, mail, publicUrl: PUBLIC_URL, eventRetentionDays: 90, telemetryRetentionMonths: undefined },
    logger,
  );
  worker.start();
  return worker;
}
