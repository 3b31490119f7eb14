// GET /v1/tanks/:id/telemetry.
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundTo } from '../auth/caller.js';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { ApiId, ApiList } from '../openapi/responses.decorator.js';
import { ListQuery } from '../pagination/dto/list.query.js';
import { ListParameters } from '../pagination/list-parameters.decorator.js';
import type { Page } from '../pagination/page.js';
import {
  TelemetryListResponse,
  TelemetryRowResponse,
  type TelemetryResponse,
} from './dto/telemetry.response.js';
import { TelemetryService } from './telemetry.service.js';

@ApiTags('Telemetry')
@NeedsScope('read')
@Controller({ path: 'tanks/:id/telemetry', version: '1' })
export class TelemetryController {
  constructor(private readonly telemetry: TelemetryService) {}

  @Get()
  @ApiOperation({
    operationId: 'listTelemetry',
    summary: 'List the telemetry of a tank',
    description: 'Newest first. The readings of a deleted tank stay readable.',
  })
  @ApiId('tank', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiList(ListQuery, TelemetryListResponse, "A page of the tank's readings.", TelemetryRowResponse)
  list(
    @Param('id') tankId: string,
    @ListParameters() query: ListQuery,
    @BoundTo() boundTo: string | null,
  ): Promise<Page<TelemetryResponse | TelemetryRowResponse>> {
    return this.telemetry.list(tankId, query, boundTo);
  }
}
