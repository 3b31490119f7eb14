// POST /v1/telemetry.
import { Controller, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { ApiIngest } from './api-ingest.decorator.js';
import { Atomic } from './atomic-parameter.js';
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
  async send(
    @Req() request: Request,
    @Res() response: Response,
    @Atomic() isAtomic: boolean,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    const result = await this.ingest.receive(request, response, isAtomic, caller);
    // Not send(), which would add an ETag.
    response.type('json').end(JSON.stringify(result));
  }
}
