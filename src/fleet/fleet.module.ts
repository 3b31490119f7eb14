// The fleet: the current state of each tank, and how many tanks are in which.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FleetCount, FleetCountChange } from './fleet-count.entity.js';
import { FleetController } from './fleet.controller.js';
import { FleetService } from './fleet.service.js';
import { TankState } from './tank-state.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([TankState, FleetCount, FleetCountChange])],
  controllers: [FleetController],
  providers: [FleetService],
})
export class FleetModule {}
