// The background work of a service that delivers webhooks, and with `mail` sends mails.
import type { Pool } from 'pg';
import { pino } from 'pino';
import { Background } from '../../src/background/background.js';
import { Forecasting } from '../../src/forecasts/forecasting.js';
import { NoticeWorker, type MailConfig } from '../../src/notices/notice-worker.js';
import { Scheduler } from '../../src/platform/lifecycle/scheduler.js';
import type { Logger } from '../../src/platform/logging/logger.js';
import type { Metrics } from '../../src/platform/metrics/metrics.js';
import { DeliveryQueue } from '../../src/webhooks/delivery-queue.js';
import { DeliveryWorker } from '../../src/webhooks/delivery-worker.js';
import { SecretBox } from '../../src/webhooks/secrets.js';
import { Sender } from '../../src/webhooks/send.js';

export const PUBLIC_URL = 'https://tanks.example.com';

/** Of its sender: a receiver may be silent for as long as a test on a busy machine needs. */
export const PATIENCE_MS = 100_000;

type Counts = Pick<Metrics, 'count' | 'countDelivery'>;

const NOT_COUNTED: Counts = {
  count: () => undefined,
  countDelivery: () => undefined,
};

export function startWorker(
  sql: Pool,
  secretKey: string,
  logger: Logger = pino({ level: 'silent' }),
  mail: MailConfig['mail'] = { server: undefined, from: undefined, folder: undefined },
  metrics = NOT_COUNTED,
): Background {
  const addresses = { allowPrivate: true, nameServers: [] };
  const webhooks = { ...addresses, secretKeys: [secretKey], timeoutMs: PATIENCE_MS };
  const retention = { eventRetentionDays: 90, telemetryRetentionMonths: undefined, mqtt: undefined };
  const scheduler = new Scheduler(logger);
  const deliveries = new DeliveryQueue(sql, new SecretBox([secretKey]));
  const worker = new Background(
    sql,
    sql,
    { webhooks, ...retention },
    logger,
    metrics,
    scheduler,
    new Forecasting(sql),
    new NoticeWorker(
      sql,
      { webhooks, mail, publicUrl: PUBLIC_URL, fillToPercent: 80 },
      scheduler,
      logger,
      metrics,
    ),
    new DeliveryWorker(deliveries, new Sender(webhooks), scheduler, logger, metrics),
  );
  worker.start();
  return worker;
}
