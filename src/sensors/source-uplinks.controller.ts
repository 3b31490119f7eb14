// POST /v1/uplinks/sources/:id, with a key or with a token in the address; and what senders ask of such an address before they send.
import {
  applyDecorators,
  Body,
  Controller,
  HttpCode,
  Options,
  Param,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { TakesSeats } from '../common/admission/admission.js';
import { CallerCheck } from '../common/auth/caller-check.js';
import { CurrentCaller, NeedsScope, Public, type Caller } from '../common/auth/caller.js';
import { ReadsBody } from '../common/bodies/body.interceptor.js';
import { Unstored } from '../common/http/unstored.interceptor.js';
import { ApiSourceUplink } from './api-uplinks.decorator.js';
import type {
  SourceResultsResponse,
  SourceResultResponse,
  ValidationResponse,
} from './dto/uplink-result.response.js';
import { SourceUplinkQuery } from './dto/uplink.query.js';
import { SOURCE_BODY } from './message-body.js';
import { UplinksService } from './uplinks.service.js';

type Answer = SourceResultResponse | SourceResultsResponse | ValidationResponse;

const TakesMessage = (path: string): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    Unstored(),
    TakesSeats(1),
    ReadsBody({ ...SOURCE_BODY, parameters: SourceUplinkQuery }),
  );

@ApiTags('Sensors')
@NeedsScope('telemetry:write')
@Controller({ path: 'uplinks/sources', version: '1' })
export class SourceUplinksController {
  constructor(
    private readonly uplinks: UplinksService,
    private readonly check: CallerCheck,
  ) {}

  @TakesMessage(':id')
  @ApiSourceUplink()
  post(
    @Param('id') id: string,
    @Body() message: string,
    @Query() { dry_run: isDryRun }: SourceUplinkQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer> {
    return this.uplinks.post(id, message, isDryRun, caller);
  }

  /** The guard recognizes the token by the name of this part. */
  @TakesMessage(':id/:source_token')
  @ApiExcludeEndpoint()
  postWithToken(
    @Param('id') id: string,
    @Body() message: string,
    @Query() { dry_run: isDryRun }: SourceUplinkQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer> {
    return this.uplinks.post(id, message, isDryRun, caller);
  }

  /** CloudEvents asks whether events may come, before anybody gave it a key: anybody may ask. */
  @Options([':id', ':id/:source_token'])
  @Public()
  @HttpCode(200)
  @ApiExcludeEndpoint()
  async options(@Res({ passthrough: true }) response: Response): Promise<void> {
    const { req: request } = response;
    if (request.headers['webhook-request-origin'] === undefined) {
      await this.check.recognize(request, response);
      response.status(204);
    } else {
      response.setHeader('WebHook-Allowed-Origin', '*');
      response.setHeader('WebHook-Allowed-Rate', '*');
    }
    response.setHeader('Allow', 'POST, OPTIONS');
  }
}
