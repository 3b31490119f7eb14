// GET /v1/tanks/:id/forecast and GET /v1/forecasts/accuracy.
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { ApiAnswer, ApiId } from '../common/openapi/responses.decorator.js';
import { AccuracyQuery, ForecastAccuracyResponse } from './dto/accuracy.response.js';
import { TankForecastResponse } from './dto/forecast.response.js';
import { ForecastsService } from './forecasts.service.js';

@ApiTags('Forecasts')
@NeedsScope('read')
@Controller({ version: '1' })
export class ForecastsController {
  constructor(private readonly forecasts: ForecastsService) {}

  @Get('tanks/:id/forecast')
  @ApiOperation({
    operationId: 'getTankForecast',
    summary: 'Retrieve the forecast of a tank',
    description:
      'When it reaches its alert, when it is empty, and its level on the next 30 days, if nobody delivers. Without a forecast its ' +
      'fields are null and `data` is empty.',
  })
  @ApiId('tank', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiAnswer(TankForecastResponse, 'The forecast.')
  get(@Param('id') id: string, @BoundCustomerId() boundTo: string | null): Promise<TankForecastResponse> {
    return this.forecasts.get(id, boundTo);
  }

  @Get('forecasts/accuracy')
  @ApiOperation({
    operationId: 'getForecastAccuracy',
    summary: 'See how good forecasts were',
    description:
      'Once a week a forecast of each tank is set aside as it was made, and compared with what was really used when its day has come. ' +
      'Of the last 365 days.',
  })
  @ApiAnswer(ForecastAccuracyResponse, 'How good they were.', { hasParameters: true })
  accuracy(
    @Query() { owner_id }: AccuracyQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<ForecastAccuracyResponse> {
    return this.forecasts.accuracy(owner_id, boundTo);
  }
}
