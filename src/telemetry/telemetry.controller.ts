// /v1/tanks/:id/telemetry: lists a tank's readings, shows them as a series, removes wrong ones.
import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PRICES, TakesSeats } from '../common/admission/admission.js';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { ApiProblem, ApiRefusals } from '../common/openapi/problems.decorator.js';
import { ApiFormatted, ApiId, ApiList, ApiOk, HEADERS } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import type { Rows } from '../common/pagination/rows.js';
import { isDeleted } from '../common/writes/problems.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { Writes } from '../common/writes/writes.decorator.js';
import { NUMBERS } from '../rules.js';
import { DeletionQuery, DeletionResponse } from './dto/deletion.response.js';
import { SeriesQuery } from './dto/series.query.js';
import { SeriesBucketResponse, SeriesResponse } from './dto/series.response.js';
import { TelemetryListResponse, TelemetryRowResponse } from './dto/telemetry.response.js';
import type { TelemetryResponse } from './dto/telemetry.response.js';
import { SeriesService } from './series.service.js';
import { MAX_DELETED, TelemetryService, tooManyToDelete } from './telemetry.service.js';

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
    @BoundCustomerId() boundTo: string | null,
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
  @TakesSeats(PRICES.largePage)
  @ApiFormatted(SeriesResponse, SeriesBucketResponse, 'The series; in CSV and NDJSON its `data`.')
  getSeries(
    @Param('id') tankId: string,
    @Query() query: SeriesQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<SeriesResponse | Rows<SeriesBucketResponse>> {
    return this.series.get(tankId, query, boundTo);
  }

  @Delete()
  @Writes('telemetry:write')
  @ApiOperation({
    operationId: 'deleteReadings',
    summary: 'Remove readings of a tank',
    description:
      `Those between two instants, both included, at most ${MAX_DELETED.toLocaleString('en')} at once. The tank's state follows. ` +
      'Needs a key with the scope `telemetry:write`.',
  })
  @ApiId('tank', 'example-tank')
  @ApiOk('They are removed.', [DeletionResponse], HEADERS)
  @ApiProblem(
    `A parameter is not valid, or missing; or the range holds more than ${MAX_DELETED.toLocaleString('en')} readings (\`range_too_large\`). Nothing was removed.`,
    tooManyToDelete(),
  )
  @ApiProblem('`deleted`: the tank is deleted.', isDeleted('tank'))
  @ApiRefusals('telemetry:write')
  remove(
    @Param('id') tankId: string,
    @Query() query: DeletionQuery,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletionResponse>> {
    return this.telemetry.remove(tankId, query, writer);
  }
}
