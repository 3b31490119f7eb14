// /v1/uplinks: takes the messages of network servers and, by sources, of any sender; lists, shows, discards and retries those in quarantine.
import {
  All,
  applyDecorators,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Options,
  Param,
  Post,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PRICES, TakesSeats } from '../common/admission/admission.js';
import { CallerCheck } from '../common/auth/caller-check.js';
import {
  ANY_KEY,
  BoundCustomerId,
  CurrentCaller,
  NeedsScope,
  Public,
  type Caller,
} from '../common/auth/caller.js';
import { ReadsBody, type BodyRules } from '../common/bodies/body.interceptor.js';
import { HasLeft } from '../common/http/has-left.js';
import { NoStore } from '../common/http/no-store.interceptor.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { methodNotAllowed } from '../common/problems/problem.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { CREATED_OBJECT } from '../common/writes/object-body.js';
import { NeedsIngest, OnlyWithIngest } from '../common/writes/writes.decorator.js';
import { NUMBERS } from '../rules.js';
import { ApiDiscard, ApiRetry, ApiSourceUplink, ApiUplink } from './api-uplinks.decorator.js';
import {
  ChirpStackQuery,
  RetryInput,
  SourceUplinkQuery,
  UplinkQuery,
  UplinksQuery,
} from './dto/uplink.input.js';
import type {
  RetryResultResponse,
  SourceResultResponse,
  SourceResultsResponse,
  UplinkResultResponse,
  ValidationResponse,
} from './dto/uplink-result.response.js';
import { UplinkListResponse, WholeUplinkResponse } from './dto/uplink.response.js';
import type { DeletedUplinkResponse, UplinkResponse } from './dto/uplink.response.js';
import { MESSAGE_BODY, SOURCE_BODY } from './message-body.js';
import { QuarantineService } from './quarantine.service.js';
import { RetriesService } from './retries.service.js';
import { UplinksService } from './uplinks.service.js';

const ALLOWED = 'POST, OPTIONS';

const TakesMessage = (path: string, body: BodyRules, parameters: Type<UplinkQuery>): MethodDecorator =>
  applyDecorators(
    Post(path),
    NeedsIngest('telemetry:write'),
    HttpCode(200),
    NoStore(),
    TakesSeats(1),
    ReadsBody({ ...body, parameters }),
  );

type SourceAnswer = SourceResultResponse | SourceResultsResponse | ValidationResponse;

@ApiTags('Sensors')
@NeedsScope('read')
@Controller({ path: 'uplinks', version: '1' })
export class UplinksController {
  constructor(
    private readonly uplinks: UplinksService,
    private readonly retries: RetriesService,
    private readonly quarantine: QuarantineService,
    private readonly check: CallerCheck,
  ) {}

  @TakesMessage('chirpstack', MESSAGE_BODY, ChirpStackQuery)
  @ApiUplink('chirpstack')
  chirpStack(
    @Body() message: string,
    @Query() { event, dry_run: isDryRun }: ChirpStackQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<UplinkResultResponse> {
    return this.uplinks.take('chirpstack', message, event || 'up', isDryRun, caller);
  }

  @TakesMessage('tts', MESSAGE_BODY, UplinkQuery)
  @ApiUplink('tts')
  tts(
    @Body() message: string,
    @Query() { dry_run: isDryRun }: UplinkQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<UplinkResultResponse> {
    return this.uplinks.take('tts', message, 'up', isDryRun, caller);
  }

  @TakesMessage('generic', MESSAGE_BODY, UplinkQuery)
  @ApiUplink('generic')
  generic(
    @Body() message: string,
    @Query() { dry_run: isDryRun }: UplinkQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<UplinkResultResponse> {
    return this.uplinks.take('generic', message, 'up', isDryRun, caller);
  }

  @Post('retry')
  @NeedsIngest('telemetry:write')
  @HttpCode(200)
  @NoStore()
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
  @NeedsIngest(ANY_KEY)
  @HttpCode(204)
  @ApiExcludeEndpoint()
  refuse(@Res({ passthrough: true }) response: Response): void {
    const { method } = response.req;
    if (method !== 'OPTIONS') throw methodNotAllowed(method, ALLOWED);
    response.setHeader('Allow', ALLOWED);
  }

  @TakesMessage('sources/:id', SOURCE_BODY, SourceUplinkQuery)
  @ApiSourceUplink()
  post(
    @Param('id') id: string,
    @Body() message: string,
    @Query() { dry_run: isDryRun }: SourceUplinkQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<SourceAnswer> {
    return this.uplinks.post(id, message, isDryRun, caller);
  }

  /** The guard recognizes the token by the name of this part. */
  @TakesMessage('sources/:id/:source_token', SOURCE_BODY, SourceUplinkQuery)
  @ApiExcludeEndpoint()
  postWithToken(
    @Param('id') id: string,
    @Body() message: string,
    @Query() { dry_run: isDryRun }: SourceUplinkQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<SourceAnswer> {
    return this.uplinks.post(id, message, isDryRun, caller);
  }

  /** CloudEvents asks whether events may come, before anybody gave it a key: anybody may ask. */
  @Options(['sources/:id', 'sources/:id/:source_token'])
  @Public()
  @OnlyWithIngest()
  @HttpCode(200)
  @ApiExcludeEndpoint()
  async options(@Res({ passthrough: true }) response: Response): Promise<void> {
    const { req: request } = response;
    if (request.headers['webhook-request-origin'] === undefined) {
      await this.check.authenticate(request, response);
      response.status(204);
    } else {
      response.setHeader('WebHook-Allowed-Origin', '*');
      response.setHeader('WebHook-Allowed-Rate', '*');
    }
    response.setHeader('Allow', ALLOWED);
  }

  @Get()
  @ApiOperation({
    operationId: 'listUplinks',
    summary: 'List uplinks in quarantine',
    description: `Uplinks that could not become readings, newest first. Kept for ${NUMBERS.QUARANTINE_DAYS} days, at most ${NUMBERS.QUARANTINE_OF_DEVICE.toLocaleString('en')} a device and customer, ${NUMBERS.QUARANTINE_OF_CUSTOMER.toLocaleString('en')} a customer and ${NUMBERS.QUARANTINE_IN_ALL.toLocaleString('en')} in all.`,
  })
  @ApiList(UplinkListResponse, 'A page of uplinks.')
  list(
    @Query() query: UplinksQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<UplinkResponse>> {
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
    @BoundCustomerId() boundTo: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    response.type('json');
    return this.quarantine.get(id, boundTo);
  }

  @Delete(':id')
  @NeedsIngest('telemetry:write')
  @NoStore()
  @ApiDiscard()
  discard(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<DeletedUplinkResponse> {
    return this.quarantine.discard(id, boundTo);
  }
}
