// /v1/sources: lists, shows, puts, changes, deletes and tries out sources; makes and ends addresses with a token.
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
} from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { TakesSeats } from '../common/admission/admission.js';
import { BoundCustomerId, CurrentCaller, NeedsScope, type Caller } from '../common/auth/caller.js';
import { ReadsBody } from '../common/bodies/body.interceptor.js';
import type { JsonRecord } from '../common/bodies/record.js';
import { NoStore } from '../common/http/no-store.interceptor.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import {
  ApiAction,
  ApiDeletion,
  ApiMerge,
  ApiReplacement,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { NeedsIngest, OPTIONAL_BODY, Writes } from '../common/writes/writes.decorator.js';
import { ApiTestedSource } from './api-uplinks.decorator.js';
import { SentSource, SourcePatch, SourceTestInput } from './dto/source.input.js';
import {
  DeletedSourceResponse,
  DeletedSourceTokenResponse,
  SourceListResponse,
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
@NeedsScope('read')
@Controller({ path: 'sources', version: '1' })
export class SourcesController {
  constructor(
    private readonly sources: SourcesService,
    private readonly uplinks: UplinksService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listSources',
    summary: 'List sources',
    description: 'Where device, time and payload are in what each kind of sender sends. Newest first.',
  })
  @ApiList(SourceListResponse, 'A page of sources.')
  list(@Query() query: ListQuery, @BoundCustomerId() boundTo: string | null): Promise<Page<SourceResponse>> {
    return this.sources.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getSource',
    summary: 'Retrieve a source',
    description: 'Where things are in the messages of one kind of sender.',
  })
  @ApiId('source', 'thingpark')
  @ApiAnswer(SourceResponse, 'The source.')
  get(@Param('id') id: string, @BoundCustomerId() boundTo: string | null): Promise<SourceResponse> {
    return this.sources.get(id, boundTo);
  }

  @Post('test')
  @NeedsIngest('tanks:write')
  @HttpCode(200)
  @NoStore()
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
  @Writes('tanks:write')
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
  @Writes('tanks:write')
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
  @Writes('tanks:write')
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
  @Writes('tanks:write', OPTIONAL_BODY)
  @ApiAction(
    SOURCE,
    {
      exampleId: 'my-gateway',
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
  @Writes('tanks:write')
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
