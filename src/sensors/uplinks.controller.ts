// POST /v1/uplinks/chirpstack, /tts and /retry, and DELETE /v1/uplinks/:id.
import { All, Controller, Delete, Header, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BoundTo, CurrentCaller, type Caller } from '../auth/caller.js';
import { ANY_KEY, NeedsScope } from '../auth/needs-scope.decorator.js';
import { methodNotAllowed } from '../problems/problem.js';
import { ApiRetry, ApiUplink } from './api-uplinks.decorator.js';
import { ApiDiscard } from './api-sensors.decorator.js';
import type { DeletedUplinkResponse } from './dto/uplink.response.js';
import { RetriesService } from './retries.service.js';
import { UplinkParametersOf, type UplinkParameters } from './uplink-parameters.js';
import { UplinksService } from './uplinks.service.js';

const ALLOWED = 'POST, OPTIONS';

@ApiTags('Sensors')
@NeedsScope('telemetry:write')
@Controller({ path: 'uplinks', version: '1' })
export class UplinksController {
  constructor(
    private readonly uplinks: UplinksService,
    private readonly retries: RetriesService,
  ) {}

  @Post('chirpstack')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiUplink('chirpstack')
  async chirpStack(
    @Req() request: Request,
    @Res() response: Response,
    @UplinkParametersOf('chirpstack') parameters: UplinkParameters,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    send(response, await this.uplinks.receive('chirpstack', request, response, parameters, caller));
  }

  @Post('tts')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiUplink('tts')
  async tts(
    @Req() request: Request,
    @Res() response: Response,
    @UplinkParametersOf('tts') parameters: UplinkParameters,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    send(response, await this.uplinks.receive('tts', request, response, parameters, caller));
  }

  @Post('retry')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiRetry()
  async retry(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    send(response, await this.retries.receive(request, response, caller));
  }

  /** Otherwise they would be taken for ids. */
  @All(['chirpstack', 'tts', 'retry'])
  @NeedsScope(ANY_KEY)
  @HttpCode(204)
  @ApiExcludeEndpoint()
  refuse(@Req() { method }: Request, @Res({ passthrough: true }) response: Response): void {
    if (method !== 'OPTIONS') throw methodNotAllowed(method, ALLOWED);
    response.setHeader('Allow', ALLOWED);
  }

  @Delete(':id')
  @Header('Cache-Control', 'no-store')
  @ApiDiscard()
  discard(
    @Req() request: Request,
    @Param('id') id: string,
    @BoundTo() boundTo: string | null,
  ): Promise<DeletedUplinkResponse> {
    return this.retries.discard(request, id, boundTo);
  }
}

/** Not json(), which would add an ETag. */
function send(response: Response, body: object): void {
  response.type('json').end(JSON.stringify(body));
}
