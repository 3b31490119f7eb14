// GET /v1/activity.
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PRICES, TakesSeats } from '../common/admission/admission.js';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { ApiList } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { ActivityService } from './activity.service.js';
import { ActivityListResponse, ActivityQuery, ActivityResponse } from './dto/activity.response.js';

@ApiTags('Activity')
@NeedsScope('activity')
@Controller({ path: 'activity', version: '1' })
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @ApiOperation({
    operationId: 'listActivity',
    summary: 'List who changed what',
    description:
      'Every change of a customer, tank, sensor, sensor profile, key or webhook endpoint, and deletions of readings, newest first: by which key or command, and from what to what. Kept for 400 days, at most 100,000 entries and 100 MiB of a customer.',
  })
  @TakesSeats(PRICES.longRead)
  @ApiList(ActivityListResponse, 'A page of changes.', undefined, 'activity')
  list(
    @Query() query: ActivityQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<ActivityResponse>> {
    return this.activity.list(query, boundTo);
  }
}
