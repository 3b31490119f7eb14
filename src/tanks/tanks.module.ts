// Tanks: the endpoints and the statements behind them.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Tank } from './tank.entity.js';
import { TanksController } from './tanks.controller.js';
import { TanksService } from './tanks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Tank])],
  controllers: [TanksController],
  providers: [TanksService],
  exports: [TanksService],
})
export class TanksModule {}
