// Uplinks come in, and profiles and sensors are changed. Left out where nothing is written.
import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { allowTime } from '../common/http/connections.js';
import { IngestModule } from '../telemetry/ingest/ingest.module.js';
import { RetriesService } from './retries.service.js';
import { SensorLookup } from './sensor-lookup.js';
import { SensorWritesController } from './sensor-writes.controller.js';
import { SensorsModule } from './sensors.module.js';
import { SourceCatalog } from './source-catalog.js';
import { SourceUplinksController } from './source-uplinks.controller.js';
import { SourceWritesController } from './source-writes.controller.js';
import { SENDERS } from './uplink.js';
import { UplinkWriter } from './uplink-writer.js';
import { UplinksController } from './uplinks.controller.js';
import { ANSWER_WITHIN_MS } from './message-body.js';
import { UplinksService } from './uplinks.service.js';

/** The look-up of the key may wait for the database, too. */
function answerSoon(_: Request, response: Response, next: NextFunction): void {
  allowTime(response, ANSWER_WITHIN_MS);
  next();
}

@Module({
  imports: [IngestModule, SensorsModule],
  controllers: [UplinksController, SourceUplinksController, SensorWritesController, SourceWritesController],
  providers: [SensorLookup, SourceCatalog, UplinkWriter, UplinksService, RetriesService],
})
export class SensorWritesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const senders = SENDERS.map((sender) => `v1/uplinks/${sender}`);
    consumer.apply(answerSoon).forRoutes(...senders, 'v1/uplinks/sources/*path');
  }
}
