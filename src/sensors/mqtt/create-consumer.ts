// Puts the consumer together, with connections to the database of its own: the work beside it may take long.
import type { Pool } from 'pg';
import { ApiKeysService } from '../../common/auth/api-keys.service.js';
import { LastUse } from '../../common/auth/last-use.js';
import type { Config } from '../../platform/config/config.js';
import { IngestWrites } from '../../platform/database/ingest-writes.js';
import { Reads } from '../../platform/database/reads.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { ReadingWriter } from '../../telemetry/ingest/reading-writer.js';
import { SensorLookup } from '../sensor-lookup.js';
import { SourceCatalog } from '../source-catalog.js';
import { UplinkWriter } from '../uplink-writer.js';
import { UplinksService } from '../uplinks.service.js';
import { MqttConsumer } from './consumer.js';
import { MqttIntake } from './intake.js';
import { callerOf, checkMqtt } from './key.js';
import { Lease } from './lease.js';

/** Of a message that waits for a lock, the connection to the broker would otherwise be lost. */
const LOCK_TIMEOUT_MS = 5_000;

export interface StartsAndStops {
  /** Rejects when the key cannot be used, or does not see a source. */
  checkAtStart(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Undefined without a broker. */
export function createConsumer(
  config: Config,
  pool: Pool,
  logger: Logger,
  metrics?: Metrics,
): StartsAndStops | undefined {
  if (config.mqtt === undefined) return undefined;
  const { topics, key } = config.mqtt;
  const reads = new Reads(pool, config.limits.maxWaitingRequests);
  const writes = new IngestWrites(pool);
  const lastUse = new LastUse(pool, logger);
  const keys = new ApiKeysService(reads, lastUse);
  const bounds = { ...config, ingest: { ...config.ingest, poolSize: 2, lockTimeoutMs: LOCK_TIMEOUT_MS } };
  const counted = {
    gauge: () => undefined, // of the other writer's queue: here nothing waits
    observeWrite: (requests: number) => metrics?.observeWrite(requests),
    countUplink: (source: string, outcome: string) => metrics?.countUplink(source, outcome),
  };
  const writer = new UplinkWriter(new SensorLookup(reads), new ReadingWriter(writes, counted, bounds));
  const catalog = new SourceCatalog(reads);
  const uplinks = new UplinksService(writer, catalog, counted);
  const intake = new MqttIntake({ topics, key, keys, catalog, uplinks, logger, metrics });
  const consumer = new MqttConsumer(config.mqtt, new Lease(pool), intake, () => callerOf(keys, key), logger);
  metrics?.gauge('mqtt_connected', 'Whether this process takes the messages of the broker.', () =>
    Number(consumer.isConnected),
  );
  return {
    checkAtStart: () => checkMqtt(keys, { key, topics }, catalog),
    start: () => {
      lastUse.onModuleInit();
      consumer.start();
    },
    stop: async () => {
      await consumer.stop();
      await lastUse.beforeApplicationShutdown();
    },
  };
}
