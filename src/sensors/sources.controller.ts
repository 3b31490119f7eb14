// GET /v1/sources and GET /v1/sources/:id.
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundTo, NeedsScope } from '../common/auth/caller.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { SourceListResponse, SourceResponse } from './dto/source.response.js';
import { SourcesService } from './sources.service.js';

@ApiTags('Sensors')
@NeedsScope('read')
@Controller({ path: 'sources', version: '1' })
export class SourcesController {
  constructor(private readonly sources: SourcesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listSources',
    summary: 'List sources',
    description: 'Where device, time and payload are in what each kind of sender sends. Newest first.',
  })
  @ApiList(SourceListResponse, 'A page of sources.')
  list(@Query() query: ListQuery, @BoundTo() boundTo: string | null): Promise<Page<SourceResponse>> {
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
  get(@Param('id') id: string, @BoundTo() boundTo: string | null): Promise<SourceResponse> {
    return this.sources.get(id, boundTo);
  }
}
