// GET /v1/recipients, /v1/recipients/:id and /v1/recipients/:id/notices.
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BoundTo, NeedsScope } from '../common/auth/caller.js';
import { etagOf } from '../common/http/etag.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { NoticeListResponse, type NoticeResponse } from './dto/notice.response.js';
import {
  RecipientListResponse,
  RecipientResponse,
  RecipientsQuery,
  taggedPart,
} from './dto/recipient.response.js';
import { RecipientsService } from './recipients.service.js';

export const EXAMPLE_ID = '019b7a6e-4d20-7c11-b0a2-6f1e2d3c4b5a';
const SCOPE = 'Needs a key with the scope `recipients`.';

@ApiTags('Recipients')
@NeedsScope('recipients')
@Controller({ path: 'recipients', version: '1' })
export class RecipientsController {
  constructor(private readonly recipients: RecipientsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listRecipients',
    summary: 'List recipients',
    description: `Who is told by e-mail, newest first. ${SCOPE}`,
  })
  @ApiList(RecipientListResponse, 'A page of recipients.', undefined, 'recipients')
  list(@Query() query: RecipientsQuery, @BoundTo() boundTo: string | null): Promise<Page<RecipientResponse>> {
    return this.recipients.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getRecipient', summary: 'Retrieve a recipient', description: SCOPE })
  @ApiId('recipient', EXAMPLE_ID)
  @ApiAnswer(RecipientResponse, 'The recipient. Its `ETag` leaves `last_sent_at` out.', {
    scope: 'recipients',
  })
  async get(
    @Param('id') id: string,
    @BoundTo() boundTo: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RecipientResponse> {
    const recipient = await this.recipients.get(id, boundTo);
    response.setHeader('ETag', etagOf(JSON.stringify(taggedPart(recipient))));
    return recipient;
  }

  @Get(':id/notices')
  @ApiOperation({
    operationId: 'listNotices',
    summary: 'List notices to a recipient',
    description: `What was sent or is to be, newest first, kept for 90 days. ${SCOPE}`,
  })
  @ApiId('recipient', EXAMPLE_ID)
  @ApiList(NoticeListResponse, 'A page of notices.', undefined, 'recipients')
  notices(
    @Param('id') id: string,
    @Query() query: ListQuery,
    @BoundTo() boundTo: string | null,
  ): Promise<Page<NoticeResponse>> {
    return this.recipients.notices(id, query, boundTo);
  }
}
