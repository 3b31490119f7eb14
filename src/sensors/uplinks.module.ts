// Uplinks come in, and profiles and sensors are changed. Left out where nothing is written.
import { Module } from '@nestjs/common';
import { BodiesModule } from '../bodies/bodies.module.js';
import { IngestModule } from '../ingest/ingest.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { Changes } from './changes.js';
import { ProfileWrites } from './profile-writes.js';
import { RetriesService } from './retries.service.js';
import { SensorLookup } from './sensor-lookup.js';
import { SensorWritesController } from './sensor-writes.controller.js';
import { TankSensorWrites } from './tank-sensor-writes.js';
import { UplinkWriter } from './uplink-writer.js';
import { UplinksController } from './uplinks.controller.js';
import { UplinksService } from './uplinks.service.js';

@Module({
  imports: [BodiesModule, IngestModule, MetricsModule],
  controllers: [UplinksController, SensorWritesController],
  providers: [
    SensorLookup,
    UplinkWriter,
    UplinksService,
    RetriesService,
    Changes,
    ProfileWrites,
    TankSensorWrites,
  ],
})
export class UplinksModule {}
