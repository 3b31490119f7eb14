// Telemetry: the endpoints of a tank's readings, and the statements behind them.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeletionService } from './deletion.service.js';
import { SeriesService } from './series.service.js';
import { TelemetryController } from './telemetry.controller.js';
import { Telemetry } from './telemetry.entity.js';
import { TelemetryService } from './telemetry.service.js';
import { WalkController } from './walk.controller.js';
import { WalkService } from './walk.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Telemetry])],
  controllers: [TelemetryController, WalkController],
  providers: [TelemetryService, SeriesService, WalkService, DeletionService],
})
export class TelemetryModule {}
