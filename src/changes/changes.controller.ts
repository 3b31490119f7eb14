// GET /v1/changes.
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { HasRowsInEach, PRICES, TakesSeats } from '../common/admission/admission.js';
import { CurrentCaller, NeedsScope, type Caller } from '../common/auth/caller.js';
import { sendWithoutStoring } from '../common/http/no-store.interceptor.js';
import { ApiFeed } from '../common/openapi/responses.decorator.js';
import { NUMBERS } from '../rules.js';
import { ChangesService } from './changes.service.js';
import { ChangesQuery } from './dto/changes.query.js';
import { CHANGE_MODELS, ChangesResponse } from './dto/changes.response.js';

@ApiTags('Changes')
@ApiExtraModels(...CHANGE_MODELS)
@NeedsScope('read')
@Controller({ path: 'changes', version: '1' })
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listChanges',
    summary: 'Follow all changes',
    description: `What has changed since a place in the feed, oldest first: customers, tanks, telemetry and events, as they are now. Nothing is missed, some may be repeated: whoever stores \`next\` after handling a page, and goes on from it, ends with what the lists show. To begin, ask with \`after=latest\`, read the lists, then follow. Changes are kept for ${NUMBERS.CHANGES_DAYS} days.`,
  })
  @TakesSeats(PRICES.longRead)
  @HasRowsInEach(10) // a change of telemetry has up to 1,000 readings, a page 10,000
  @ApiFeed(ChangesResponse, 'The next changes.')
  async follow(
    @Query() query: ChangesQuery,
    @CurrentCaller() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    sendWithoutStoring(response, await this.changes.follow(query, caller, response));
  }
}
