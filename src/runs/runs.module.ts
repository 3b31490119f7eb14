// Runs: the days of trucks.
import { Module } from '@nestjs/common';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';
import { Suggestions } from './suggest.js';

@Module({
  controllers: [RunsController],
  providers: [RunsService, Suggestions],
  exports: [RunsService],
})
export class RunsModule {}
