// GET /v1/tanks/:id/telemetry and GET /v1/tanks/:id/telemetry/series.
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { NUMBERS } from '../rules.js';
import { BoundTo } from '../common/auth/caller.js';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { ApiId, ApiList, ApiSeries } from '../common/openapi/responses.decorator.js';
import type { Rows } from '../common/pagination/rows.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { TelemetryListResponse, TelemetryRowResponse } from './dto/telemetry.response.js';
import type { TelemetryResponse } from './dto/telemetry.response.js';
import { SeriesQuery } from './dto/series.query.js';
import { SeriesBucketResponse, SeriesResponse } from './dto/series.response.js';
import { SeriesService } from './series.service.js';
import { TelemetryService } from './telemetry.service.js';

@ApiTags('Telemetry')
@NeedsScope('read')
@Controller({ path: 'tanks/:id/telemetry', version: '1' })
export class TelemetryController {
  constructor(
    private readonly telemetry: TelemetryService,
    private readonly series: SeriesService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listTelemetry',
    summary: 'List the telemetry of a tank',
    description: 'Newest first. The readings of a deleted tank stay readable.',
  })
  @ApiId('tank', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiList(TelemetryListResponse, "A page of the tank's readings.", TelemetryRowResponse)
  list(
    @Param('id') tankId: string,
    @Query() query: ListQuery,
    @BoundTo() boundTo: string | null,
  ): Promise<Page<TelemetryResponse | TelemetryRowResponse>> {
    return this.telemetry.list(tankId, query, boundTo);
  }

  @Get('series')
  @ApiOperation({
    operationId: 'getTelemetrySeries',
    summary: 'Get the telemetry of a tank as a time series',
    description:
      'The readings of a range in buckets, with the gaps and refills, which a bucket could hide. ' +
      'Days, weeks from Monday and months are those of `time_zone`; shorter buckets are aligned to UTC, 30 days to steps from 1970-01-01. Nothing is interpolated. ' +
      `A range of more than ${NUMBERS.SERIES_MOST_READINGS.toLocaleString('en')} readings is refused with \`range_too_large\`.`,
  })
  @ApiId('tank', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiSeries(SeriesResponse, SeriesBucketResponse, 'The series; in CSV and NDJSON its `data`.')
  getSeries(
    @Param('id') tankId: string,
    @Query() query: SeriesQuery,
    @BoundTo() boundTo: string | null,
  ): Promise<SeriesResponse | Rows<SeriesBucketResponse>> {
    return this.series.get(tankId, query, boundTo);
  }
}
