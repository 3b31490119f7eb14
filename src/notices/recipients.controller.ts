// /v1/recipients: lists, shows, creates, changes, deletes, confirms and tests recipients; and what was sent to one.
import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { allowTime } from '../common/http/connections.js';
import { TaggedBy } from '../common/http/tagged-by.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import {
  ApiAction,
  ApiCreation,
  ApiDeletion,
  ApiMerge,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { OPTIONAL_BODY, Writes } from '../common/writes/writes.decorator.js';
import { NoticeListResponse, type NoticeResponse } from './dto/notice.response.js';
import { RecipientInput, RecipientPatch } from './dto/recipient.input.js';
import {
  DeletedRecipientResponse,
  NoticeTestResponse,
  RecipientListResponse,
  RecipientResponse,
  RecipientsQuery,
  taggedPart,
} from './dto/recipient.response.js';
import { notConfirmed, RecipientTests } from './recipient-tests.js';
import { alreadyConfirmed, duplicate, RecipientsService } from './recipients.service.js';

export const EXAMPLE_ID = '019b7a6e-4d20-7c11-b0a2-6f1e2d3c4b5a';
const SCOPE = 'Needs a key with the scope `recipients`.';
const RECIPIENT = {
  object: 'recipient',
  name: 'Recipient',
  scope: 'recipients',
  response: RecipientResponse,
  deleted: DeletedRecipientResponse,
} as const;
const CONFIRMATIONS =
  'In 24 hours at most 3 confirmations go to an address and 200 out for a customer or without one: 429.';
const EXAMPLE = {
  email: 'office@example.com',
  name: 'Office',
  events: ['tank.low', 'tank.silent'],
  daily_at: '07:00',
};

/** The mail server has 18 seconds. */
const TEST_WITHIN_MS = 25_000;

@ApiTags('Recipients')
@NeedsScope('recipients')
@TaggedBy(taggedPart)
@Controller({ path: 'recipients', version: '1' })
export class RecipientsController {
  constructor(
    private readonly recipients: RecipientsService,
    private readonly tests: RecipientTests,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listRecipients',
    summary: 'List recipients',
    description: `Who is told by e-mail, newest first. ${SCOPE}`,
  })
  @ApiList(RecipientListResponse, 'A page of recipients.', undefined, 'recipients')
  list(
    @Query() query: RecipientsQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<RecipientResponse>> {
    return this.recipients.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getRecipient', summary: 'Retrieve a recipient', description: SCOPE })
  @ApiId('recipient', EXAMPLE_ID)
  @ApiAnswer(RecipientResponse, 'The recipient. Its `ETag` leaves `last_sent_at` out.', {
    scope: 'recipients',
  })
  get(@Param('id') id: string, @BoundCustomerId() boundTo: string | null): Promise<RecipientResponse> {
    return this.recipients.get(id, boundTo);
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
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<NoticeResponse>> {
    return this.recipients.notices(id, query, boundTo);
  }

  @Post()
  @Writes('recipients')
  @ApiCreation(RECIPIENT, {
    description: `It gets one mail with a link, and is \`unconfirmed\` until somebody opens that and presses the button; at once \`active\` if a key that is bound to no customer gives the email of a verified customer for that customer. ${CONFIRMATIONS}`,
    body: { type: RecipientInput, example: EXAMPLE },
    conflicts: [
      '`duplicate`: this address is told about this customer, or about all tanks, already. `too_many`: a customer has at most 100, and there are at most 100 without one.',
      duplicate(),
    ],
  })
  create(
    @Body() body: RecipientInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<RecipientResponse>> {
    return this.recipients.create(body, writer);
  }

  @Patch(':id')
  @Writes('recipients')
  @ApiMerge(RECIPIENT, {
    description: `A merge patch (RFC 7396): what is left out stays. Another \`email\` starts over, with a confirmation. ${CONFIRMATIONS}`,
    body: { type: RecipientPatch, example: { daily_at: '06:30', paused: false } },
    conflicts: ['`duplicate`: another recipient has this address.', duplicate()],
  })
  patch(
    @Param('id') id: string,
    @Body() body: RecipientPatch,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<RecipientResponse>> {
    return this.recipients.patch(id, body, writer);
  }

  @Delete(':id')
  @Writes('recipients')
  @ApiDeletion(RECIPIENT, { exampleId: 'old-recipient', description: 'With its notices.' })
  remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedRecipientResponse>> {
    return this.recipients.remove(id, writer);
  }

  @Post(':id/confirmation')
  @Writes('recipients', OPTIONAL_BODY)
  @ApiAction(
    RECIPIENT,
    {
      exampleId: 'new-recipient',
      operationId: 'sendConfirmation',
      summary: 'Send the confirmation to a recipient again',
      description: `For one that is not confirmed, has unsubscribed or is failing: only this brings it back. ${CONFIRMATIONS}`,
      conflicts: ['`already_confirmed`: it is `active` or `paused`.', alreadyConfirmed()],
    },
    ['The recipient.', RecipientResponse],
  )
  confirmation(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<RecipientResponse>> {
    return this.recipients.confirmation(id, writer);
  }

  @Post(':id/test')
  @Header('Cache-Control', 'no-store')
  @Writes('recipients', OPTIONAL_BODY)
  @ApiAction(
    RECIPIENT,
    {
      operationId: 'testRecipient',
      summary: 'Send a test mail to a recipient',
      description: 'Now, and once: at most 5 an hour (429). It counts nowhere.',
      conflicts: ['`not_confirmed`: it is neither `active` nor `paused`.', notConfirmed()],
    },
    ['What the mail server answered, also when it was not sent.', NoticeTestResponse],
  )
  test(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WriteResult<NoticeTestResponse>> {
    allowTime(response, TEST_WITHIN_MS);
    return this.tests.test(id, writer, response.req.leaveSeats); // a slow mail server holds nobody's seat
  }
}
