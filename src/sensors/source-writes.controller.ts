// PUT, PATCH and DELETE of /v1/sources/:id; POST and DELETE of its token; POST /v1/sources/test.
import { Body, Controller, Delete, Header, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { TakesSeats } from '../common/admission/admission.js';
import { CurrentCaller, NeedsScope, type Caller } from '../common/auth/caller.js';
import { ReadsBody } from '../common/bodies/body.interceptor.js';
import type { JsonRecord } from '../common/bodies/record.js';
import { Unstored } from '../common/http/unstored.interceptor.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import {
  ApiAction,
  ApiDeletion,
  ApiMerge,
  ApiReplacement,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/managed-writes.js';
import { ApiTestedSource } from './api-uplinks.decorator.js';
import { SentSource, SourcePatch, SourceTestInput } from './dto/source.input.js';
import {
  DeletedSourceResponse,
  DeletedSourceTokenResponse,
  SourceResponse,
  SourceTokenResponse,
} from './dto/source.response.js';
import type { SourceTestResponse, SourceTestsResponse } from './dto/uplink-result.response.js';
import { TESTED_MESSAGE } from './message-body.js';
import { builtIn, SourcesService, tooMany } from './sources.service.js';
import { UplinksService } from './uplinks.service.js';

const SOURCE = {
  object: 'source',
  name: 'Source',
  scope: 'tanks:write',
  response: SourceResponse,
  deleted: DeletedSourceResponse,
} as const;
const EXAMPLE = {
  name: 'Gateway in the yard',
  device: { path: 'deviceId' },
  time: { path: 'time', time_zone: 'Europe/Vienna' },
  payload: [{ path: 'data', as: 'hex' }],
};
const OF_ONE = {
  exampleId: 'my-gateway',
  conflicts: [
    '`built_in`: it came with the service. `too_many`: a customer has at most 100, and there are at most 100 without one. `id_taken`: by what your key does not see, or by an address of its own.',
    tooMany(),
  ],
} as const;

@ApiTags('Sensors')
@ApiExtraModels(SentSource)
@NeedsScope('tanks:write')
@Controller({ path: 'sources', version: '1' })
export class SourceWritesController {
  constructor(
    private readonly sources: SourcesService,
    private readonly uplinks: UplinksService,
  ) {}

  @Post('test')
  @HttpCode(200)
  @Unstored()
  @TakesSeats(1)
  @ReadsBody(TESTED_MESSAGE)
  @ApiTestedSource()
  test(
    @Body() body: SourceTestInput,
    @CurrentCaller() caller: Caller,
  ): Promise<SourceTestResponse | SourceTestsResponse> {
    return this.uplinks.test(body, caller);
  }

  @Put(':id')
  @ApiReplacement(SOURCE, {
    ...OF_ONE,
    summary: 'Create or replace a source',
    description: 'What is left out gets its default. A key that is bound to a customer changes its own only.',
    body: { type: SentSource, example: EXAMPLE },
  })
  put(
    @Param('id') id: string,
    @Body() body: SentSource,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<SourceResponse>> {
    return this.sources.replace(id, body, writer);
  }

  @Patch(':id')
  @ApiMerge(SOURCE, {
    ...OF_ONE,
    body: { type: SourcePatch, example: { time: { time_zone: 'Europe/Berlin' } } },
  })
  patch(
    @Param('id') id: string,
    @Body() body: JsonRecord,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<SourceResponse>> {
    return this.sources.patch(id, body, writer);
  }

  @Delete(':id')
  @ApiDeletion(SOURCE, {
    exampleId: 'old-gateway',
    description: 'With its tokens. What waits in quarantine stays there.',
    conflicts: ['It came with the service (`built_in`).', builtIn()],
  })
  remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedSourceResponse>> {
    return this.sources.remove(id, writer);
  }

  @Post(':id/token')
  @Header('Cache-Control', 'no-store')
  @ApiAction(
    SOURCE,
    {
      exampleId: 'my-gateway',
      hasNoAddress: true,
      operationId: 'makeSourceToken',
      summary: 'Make an address for a sender that has no headers',
      description:
        'The answer alone has the `url`: its last part is a token that may do nothing but post to this source, as the key that made it, and ends with that key or the source. There is one for a source and customer; the one before ends. Needs the scope `telemetry:write`, too.',
    },
    ['The address.', SourceTokenResponse, 201],
  )
  makeToken(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<SourceTokenResponse>> {
    return this.sources.makeToken(id, writer);
  }

  @Delete(':id/token')
  @ApiDeletion(
    { ...SOURCE, name: 'SourceToken', deleted: DeletedSourceTokenResponse },
    {
      exampleId: 'my-gateway',
      summary: 'End the address of a source',
      description: 'Whoever posts to it gets a 401 from then on.',
    },
  )
  removeToken(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedSourceTokenResponse>> {
    return this.sources.removeToken(id, writer);
  }
}
