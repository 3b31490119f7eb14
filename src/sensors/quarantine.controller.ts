// GET /v1/uplinks and GET /v1/uplinks/:id.
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BoundTo } from '../auth/caller.js';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { ApiAnswer, ApiId, ApiList } from '../openapi/responses.decorator.js';
import type { Page } from '../pagination/page.js';
import { UplinkListResponse, WholeUplinkResponse, type UplinkResponse } from './dto/uplink.response.js';
import { UplinksQuery } from './dto/uplinks.query.js';
import { QuarantineService } from './quarantine.service.js';

@ApiTags('Sensors')
@NeedsScope('read')
@Controller({ path: 'uplinks', version: '1' })
export class QuarantineController {
  constructor(private readonly quarantine: QuarantineService) {}

  @Get()
  @ApiOperation({
    operationId: 'listUplinks',
    summary: 'List uplinks in quarantine',
    description:
      'Uplinks that could not become readings, newest first. Kept for 30 days, at most 1,000 a device and customer, 10,000 a customer and 100,000 in all.',
  })
  @ApiList(UplinkListResponse, 'A page of uplinks.')
  list(@Query() query: UplinksQuery, @BoundTo() boundTo: string | null): Promise<Page<UplinkResponse>> {
    return this.quarantine.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getUplink', summary: 'Retrieve an uplink in quarantine' })
  @ApiId('uplink', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiAnswer(WholeUplinkResponse, 'The uplink, with the message as it was sent.')
  get(
    @Param('id') id: string,
    @BoundTo() boundTo: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    response.type('json');
    return this.quarantine.get(id, boundTo);
  }
}
