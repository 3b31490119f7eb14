// The fleet: the current state of each tank, and how many tanks are in which.
import { Module } from '@nestjs/common';
import { FleetController } from './fleet.controller.js';
import { FleetService } from './fleet.service.js';

@Module({ controllers: [FleetController], providers: [FleetService] })
export class FleetModule {}
