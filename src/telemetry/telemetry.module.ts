// Telemetry: the endpoint and the statements behind it.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TelemetryController } from './telemetry.controller.js';
import { Telemetry } from './telemetry.entity.js';
import { TelemetryService } from './telemetry.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Telemetry])],
  controllers: [TelemetryController],
  providers: [TelemetryService],
})
export class TelemetryModule {}
