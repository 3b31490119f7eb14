// Sensors: what is known of them, and what waits in quarantine.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProfilesService } from './profiles.service.js';
import { QuarantineController } from './quarantine.controller.js';
import { QuarantineService } from './quarantine.service.js';
import { SensorProfile } from './sensor-profile.entity.js';
import { SensorsController } from './sensors.controller.js';
import { Source } from './source.entity.js';
import { SourcesController } from './sources.controller.js';
import { SourcesService } from './sources.service.js';
import { TankSensor } from './tank-sensor.entity.js';
import { TankSensorsService } from './tank-sensors.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SensorProfile, TankSensor, Source])],
  controllers: [SensorsController, SourcesController, QuarantineController],
  providers: [ProfilesService, TankSensorsService, SourcesService, QuarantineService],
  exports: [ProfilesService, TankSensorsService, SourcesService, QuarantineService],
})
export class SensorsModule {}
