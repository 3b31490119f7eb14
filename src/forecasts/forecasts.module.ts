// Forecasts: the endpoints, and metrics. What makes them is background work.
import { Module } from '@nestjs/common';
import { ForecastMetrics } from './forecast-metrics.js';
import { ForecastsController } from './forecasts.controller.js';
import { ForecastsService } from './forecasts.service.js';

@Module({
  controllers: [ForecastsController],
  providers: [ForecastsService, ForecastMetrics],
})
export class ForecastsModule {}
