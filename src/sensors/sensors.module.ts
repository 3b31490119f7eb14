// Sensors: the messages that come in, what is known of their senders and sensors, and what waits in quarantine.
import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { NextFunction, Request, Response } from 'express';
import { allowTime } from '../common/http/connections.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { ANSWER_WITHIN_MS } from './message-body.js';
import { ProfilesService } from './profiles.service.js';
import { QuarantineService } from './quarantine.service.js';
import { RetriesService } from './retries.service.js';
import { SensorLookup } from './sensor-lookup.js';
import { SensorProfile } from './sensor-profile.entity.js';
import { SensorsController } from './sensors.controller.js';
import { SourceCatalog } from './source-catalog.js';
import { Source } from './source.entity.js';
import { SourcesController } from './sources.controller.js';
import { SourcesService } from './sources.service.js';
import { TankSensor } from './tank-sensor.entity.js';
import { TankSensorsService } from './tank-sensors.service.js';
import { UplinkWriter } from './uplink-writer.js';
import { SENDERS } from './uplink.js';
import { UplinksController } from './uplinks.controller.js';
import { UplinksService } from './uplinks.service.js';

/** The look-up of the key may wait for the database, too. */
function answerSoon(_: Request, response: Response, next: NextFunction): void {
  allowTime(response, ANSWER_WITHIN_MS);
  next();
}

@Module({
  imports: [TypeOrmModule.forFeature([SensorProfile, TankSensor, Source]), TelemetryModule],
  controllers: [SensorsController, SourcesController, UplinksController],
  providers: [
    ProfilesService,
    TankSensorsService,
    SourcesService,
    SourceCatalog,
    SensorLookup,
    UplinkWriter,
    UplinksService,
    QuarantineService,
    RetriesService,
  ],
})
export class SensorsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const senders = SENDERS.map((sender) => `v1/uplinks/${sender}`);
    consumer.apply(answerSoon).forRoutes(...senders, 'v1/uplinks/sources/*path');
  }
}
