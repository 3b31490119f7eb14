// POST /v1/uplinks/chirpstack, /tts, /generic and /retry, and DELETE /v1/uplinks/:id.
import { All, Body, Controller, Delete, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PRICES, TakesSeats } from '../common/admission/admission.js';
import { ANY_KEY, BoundTo, CurrentCaller, NeedsScope, type Caller } from '../common/auth/caller.js';
import { ReadsBody } from '../common/bodies/body.interceptor.js';
import { HasLeft } from '../common/http/has-left.js';
import { Unstored } from '../common/http/unstored.interceptor.js';
import { CREATED_OBJECT } from '../common/writes/object-body.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { methodNotAllowed } from '../common/problems/problem.js';
import { ApiDiscard, ApiRetry, ApiUplink } from './api-uplinks.decorator.js';
import { RetryInput } from './dto/retry.input.js';
import type { RetryResultResponse, UplinkResultResponse } from './dto/uplink-result.response.js';
import type { DeletedUplinkResponse } from './dto/uplink.response.js';
import { ChirpStackQuery, UplinkQuery } from './dto/uplink.query.js';
import { MESSAGE_BODY } from './message-body.js';
import { QuarantineService } from './quarantine.service.js';
import { RetriesService } from './retries.service.js';
import { UplinksService } from './uplinks.service.js';

const ALLOWED = 'POST, OPTIONS';

@ApiTags('Sensors')
@NeedsScope('telemetry:write')
@Controller({ path: 'uplinks', version: '1' })
export class UplinksController {
  constructor(
    private readonly uplinks: UplinksService,
    private readonly retries: RetriesService,
    private readonly quarantine: QuarantineService,
  ) {}

  @Post('chirpstack')
  @HttpCode(200)
  @Unstored()
  @TakesSeats(1)
  @ReadsBody({ ...MESSAGE_BODY, parameters: ChirpStackQuery })
  @ApiUplink('chirpstack')
  chirpStack(
    @Body() message: string,
    @Query() { event, dry_run: isDryRun }: ChirpStackQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<UplinkResultResponse> {
    return this.uplinks.take('chirpstack', message, event || 'up', isDryRun, caller);
  }

  @Post('tts')
  @HttpCode(200)
  @Unstored()
  @TakesSeats(1)
  @ReadsBody({ ...MESSAGE_BODY, parameters: UplinkQuery })
  @ApiUplink('tts')
  tts(
    @Body() message: string,
    @Query() { dry_run: isDryRun }: UplinkQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<UplinkResultResponse> {
    return this.uplinks.take('tts', message, 'up', isDryRun, caller);
  }

  @Post('generic')
  @HttpCode(200)
  @Unstored()
  @TakesSeats(1)
  @ReadsBody({ ...MESSAGE_BODY, parameters: UplinkQuery })
  @ApiUplink('generic')
  generic(
    @Body() message: string,
    @Query() { dry_run: isDryRun }: UplinkQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<UplinkResultResponse> {
    return this.uplinks.take('generic', message, 'up', isDryRun, caller);
  }

  @Post('retry')
  @HttpCode(200)
  @Unstored()
  @TakesSeats(PRICES.retry)
  @ReadsBody({ ...CREATED_OBJECT, without: {} })
  @ApiRetry()
  retry(
    @Body() input: RetryInput,
    @CurrentCaller() caller: Caller,
    @HasLeft() hasLeft: () => boolean,
  ): Promise<RetryResultResponse> {
    return this.retries.retry(input, caller, hasLeft);
  }

  /** Otherwise they would be taken for ids. */
  @All(['chirpstack', 'tts', 'generic', 'retry'])
  @NeedsScope(ANY_KEY)
  @HttpCode(204)
  @ApiExcludeEndpoint()
  refuse(@Res({ passthrough: true }) response: Response): void {
    const { method } = response.req;
    if (method !== 'OPTIONS') throw methodNotAllowed(method, ALLOWED);
    response.setHeader('Allow', ALLOWED);
  }

  @Delete(':id')
  @Unstored()
  @ApiDiscard()
  discard(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @BoundTo() boundTo: string | null,
  ): Promise<DeletedUplinkResponse> {
    return this.quarantine.discard(id, boundTo);
  }
}
