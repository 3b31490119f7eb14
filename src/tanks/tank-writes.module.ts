// Changes of tanks over HTTP. Left out where nothing is written.
import { Module } from '@nestjs/common';
import { ManageModule } from '../common/writes/manage.module.js';
import { TanksModule } from './tanks.module.js';
import { TankWritesController } from './tank-writes.controller.js';

@Module({ imports: [ManageModule, TanksModule], controllers: [TankWritesController] })
export class TankWritesModule {}
