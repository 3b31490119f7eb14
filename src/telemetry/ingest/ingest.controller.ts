// POST /v1/telemetry.
import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TakesSeats } from '../../common/admission/admission.js';
import { CurrentCaller, NeedsScope, type Caller } from '../../common/auth/caller.js';
import { ReadsBody } from '../../common/bodies/body.interceptor.js';
import { Unstored } from '../../common/http/unstored.interceptor.js';
import { ApiIngest } from './api-ingest.decorator.js';
import { READINGS_BODY, SentFormat, type BodyFormat } from './body-type.js';
import { IngestQuery } from './dto/ingest.query.js';
import type { IngestResultResponse } from './dto/ingest-result.response.js';
import { IngestService } from './ingest.service.js';

@ApiTags('Telemetry')
@NeedsScope('telemetry:write')
@Controller({ path: 'telemetry', version: '1' })
export class IngestController {
  constructor(private readonly ingest: IngestService) {}

  @Post()
  @HttpCode(200)
  @Unstored()
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
