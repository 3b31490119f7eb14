// Messages of MQTT, where there is a broker: taken with connections to the database of their own: the work beside it may take long.
import { Module } from '@nestjs/common';
import type { Pool } from 'pg';
import { ApiKeysService } from '../../common/auth/api-keys.service.js';
import { LastUse } from '../../common/auth/last-use.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { IngestWrites } from '../../platform/database/ingest-writes.js';
import { MQTT_POOL, PRIMARY_POOL } from '../../platform/database/pool.js';
import { FRESH_READS, Reads } from '../../platform/database/reads.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { ReadingWriter } from '../../telemetry/ingest/reading-writer.js';
import { SensorLookup } from '../sensor-lookup.js';
import { SourceCatalog } from '../source-catalog.js';
import { UplinkWriter } from '../uplink-writer.js';
import { UplinksService } from '../uplinks.service.js';
import { MqttConsumer } from './consumer.js';
import { MqttIntake } from './intake.js';
import { MQTT_SETTINGS, MqttKey } from './key.js';
import { Lease } from './lease.js';

/** Of a message that waits for a lock, the connection to the broker would otherwise be lost. */
const LOCK_TIMEOUT_MS = 5_000;

/** The other writer reports its queue: here nothing waits. */
function createWriter(writes: IngestWrites, metrics: Metrics, config: Config): ReadingWriter {
  const observeWrite = (requests: number): void => metrics.observeWrite(requests);
  const ingest = { ...config.ingest, poolSize: 2, lockTimeoutMs: LOCK_TIMEOUT_MS };
  return new ReadingWriter(writes, { gauge: () => undefined, observeWrite }, { ...config, ingest });
}

@Module({
  providers: [
    { provide: MQTT_SETTINGS, inject: [CONFIG], useFactory: ({ mqtt }: Config) => mqtt },
    {
      provide: Reads,
      inject: [MQTT_POOL, CONFIG],
      useFactory: (pool: Pool, { limits }: Config) => new Reads(pool, limits.maxWaitingRequests),
    },
    { provide: FRESH_READS, useExisting: Reads },
    { provide: IngestWrites, inject: [MQTT_POOL], useFactory: (pool: Pool) => new IngestWrites(pool) },
    { provide: PRIMARY_POOL, useExisting: MQTT_POOL },
    { provide: ReadingWriter, inject: [IngestWrites, Metrics, CONFIG], useFactory: createWriter },
    LastUse,
    ApiKeysService,
    SensorLookup,
    SourceCatalog,
    UplinkWriter,
    UplinksService,
    MqttKey,
    MqttIntake,
    Lease,
    MqttConsumer,
  ],
  exports: [MqttConsumer, MqttKey],
})
export class MqttModule {}
