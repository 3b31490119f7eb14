// GET /v1/telemetry.
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundTo, NeedsScope } from '../common/auth/caller.js';
import { ApiWalk } from '../common/openapi/responses.decorator.js';
import type { WalkPage } from '../common/pagination/page.js';
import { ReadingsResponse, TelemetryRowResponse } from './dto/telemetry.response.js';
import { WalkQuery } from './dto/walk.query.js';
import { WalkService } from './walk.service.js';

@ApiTags('Telemetry')
@NeedsScope('read')
@Controller({ path: 'telemetry', version: '1' })
export class WalkController {
  constructor(private readonly walk: WalkService) {}

  @Get()
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
    @BoundTo() boundTo: string | null,
  ): Promise<WalkPage<TelemetryRowResponse>> {
    return this.walk.read(query, boundTo);
  }
}
