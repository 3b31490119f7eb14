// GET /v1/uplinks and GET /v1/uplinks/:id.
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BoundTo, NeedsScope } from '../common/auth/caller.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { NUMBERS } from '../rules.js';
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
    description: `Uplinks that could not become readings, newest first. Kept for ${NUMBERS.QUARANTINE_DAYS} days, at most ${NUMBERS.QUARANTINE_OF_DEVICE.toLocaleString('en')} a device and customer, ${NUMBERS.QUARANTINE_OF_CUSTOMER.toLocaleString('en')} a customer and ${NUMBERS.QUARANTINE_IN_ALL.toLocaleString('en')} in all.`,
  })
  @ApiList(UplinkListResponse, 'A page of uplinks.')
  list(@Query() query: UplinksQuery, @BoundTo() boundTo: string | null): Promise<Page<UplinkResponse>> {
    return this.quarantine.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getUplink',
    summary: 'Retrieve an uplink in quarantine',
    description: 'With the message, which the list leaves out.',
  })
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
