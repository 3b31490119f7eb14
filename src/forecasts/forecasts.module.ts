// Forecasts: the endpoints, and metrics. What makes them is background work.
import { Module } from '@nestjs/common';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { ForecastMetrics } from './forecast-metrics.js';
import { ForecastsController } from './forecasts.controller.js';
import { ForecastsService } from './forecasts.service.js';

@Module({
  imports: [MetricsModule],
  controllers: [ForecastsController],
  providers: [ForecastsService, ForecastMetrics],
})
export class ForecastsModule {}
