// The fleet: what is known of each tank now, and how many tanks that is true of.
import { Module } from '@nestjs/common';
import { FleetController } from './fleet.controller.js';
import { FleetService } from './fleet.service.js';

@Module({ controllers: [FleetController], providers: [FleetService] })
export class FleetModule {}
