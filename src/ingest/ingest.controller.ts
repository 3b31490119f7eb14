// POST /v1/telemetry.
import { Controller, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { ApiIngest } from './api-ingest.decorator.js';
import { Atomic } from './atomic-parameter.js';
import type { IngestResultResponse } from './dto/ingest-result.response.js';
import { IngestService } from './ingest.service.js';

@ApiTags('Telemetry')
@NeedsScope('telemetry:write')
@Controller({ path: 'telemetry', version: '1' })
export class IngestController {
  constructor(private readonly ingest: IngestService) {}

  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiIngest()
  send(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Atomic() isAtomic: boolean,
    @CurrentCaller() caller: Caller,
  ): Promise<IngestResultResponse> {
    return this.ingest.receive(request, response, isAtomic, caller);
  }
}
