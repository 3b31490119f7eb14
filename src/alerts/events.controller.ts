// GET /v1/events and GET /v1/events/:id.
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { EventListResponse, EventResponse, EventsQuery } from './dto/event.response.js';
import { EventsService } from './events.service.js';

@ApiTags('Events')
@NeedsScope('read')
@Controller({ path: 'events', version: '1' })
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'What happened to tanks, newest first: a tank ran low, recovered, was refilled, fell silent or reports again. Kept for 90 days unless the operator chose otherwise.',
  })
  @ApiList(EventListResponse, 'A page of events.')
  list(@Query() query: EventsQuery, @BoundCustomerId() boundTo: string | null): Promise<Page<EventResponse>> {
    return this.events.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getEvent',
    summary: 'Retrieve an event',
    description: 'By the id that the list, the feed of changes and webhooks name it by.',
  })
  @ApiId('event', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  @ApiAnswer(EventResponse, 'The event.')
  get(@Param('id') id: string, @BoundCustomerId() boundTo: string | null): Promise<EventResponse> {
    return this.events.get(id, boundTo);
  }
}
