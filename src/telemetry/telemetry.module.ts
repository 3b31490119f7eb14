// Telemetry: readings come in, and are listed, shown as a series, walked through and removed.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IngestService } from './ingest/ingest.service.js';
import { ReadingWriter } from './ingest/reading-writer.js';
import { ReadingsController } from './readings.controller.js';
import { SeriesService } from './series.service.js';
import { TelemetryController } from './telemetry.controller.js';
import { Telemetry } from './telemetry.entity.js';
import { TelemetryService } from './telemetry.service.js';
import { WalkService } from './walk.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Telemetry])],
  controllers: [TelemetryController, ReadingsController],
  providers: [TelemetryService, SeriesService, WalkService, IngestService, ReadingWriter],
  exports: [ReadingWriter],
})
export class TelemetryModule {}
