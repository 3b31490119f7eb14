// Tanks: the endpoints and the statements behind them.
import { Module } from '@nestjs/common';
import { TanksController } from './tanks.controller.js';
import { TanksService } from './tanks.service.js';

@Module({ controllers: [TanksController], providers: [TanksService] })
export class TanksModule {}
