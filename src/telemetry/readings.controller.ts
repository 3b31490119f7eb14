// /v1/telemetry: takes readings, and walks through those of all tanks.
import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PRICES, TakesSeats } from '../common/admission/admission.js';
import { BoundCustomerId, CurrentCaller, NeedsScope, type Caller } from '../common/auth/caller.js';
import { ReadsBody } from '../common/bodies/body.interceptor.js';
import { NoStore } from '../common/http/no-store.interceptor.js';
import { ApiWalk } from '../common/openapi/responses.decorator.js';
import type { WalkPage } from '../common/pagination/page.js';
import { NeedsIngest } from '../common/writes/writes.decorator.js';
import { ReadingsResponse, TelemetryRowResponse } from './dto/telemetry.response.js';
import { WalkQuery } from './dto/walk.query.js';
import { ApiIngest } from './ingest/api-ingest.decorator.js';
import { IngestQuery, READINGS_BODY, SentFormat, type BodyFormat } from './ingest/body-type.js';
import type { IngestResultResponse } from './ingest/dto/ingest-result.response.js';
import { IngestService } from './ingest/ingest.service.js';
import { WalkService } from './walk.service.js';

@ApiTags('Telemetry')
@NeedsScope('read')
@Controller({ path: 'telemetry', version: '1' })
export class ReadingsController {
  constructor(
    private readonly ingest: IngestService,
    private readonly walk: WalkService,
  ) {}

  @Get()
  @NoStore()
  @TakesSeats(PRICES.longRead)
  @ApiOperation({
    operationId: 'listReadings',
    summary: 'Walk through the readings of all tanks',
    description:
      'By tank, in an order of its own that never changes, then oldest first; readings of deleted tanks are left out. Go on with `next` until it ' +
      'is null: what is there all the time comes exactly once, whatever is written meanwhile.',
  })
  @ApiWalk(ReadingsResponse, TelemetryRowResponse, 'The next readings.')
  read(
    @Query() query: WalkQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<WalkPage<TelemetryRowResponse>> {
    return this.walk.read(query, boundTo);
  }

  @Post()
  @NeedsIngest('telemetry:write')
  @HttpCode(200)
  @NoStore()
  @TakesSeats(1)
  @ReadsBody(READINGS_BODY)
  @ApiIngest()
  send(
    @Body() readings: string,
    @SentFormat() format: BodyFormat,
    @Query() { atomic }: IngestQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<IngestResultResponse> {
    return this.ingest.store(readings, format, atomic, caller);
  }
}
