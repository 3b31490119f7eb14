// POST /v1/recipients; PATCH and DELETE of /v1/recipients/:id; POST to its confirmation and test.
import { Body, Controller, Delete, Header, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { NeedsScope } from '../common/auth/caller.js';
import { allowTime } from '../common/http/connections.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import {
  ApiAction,
  ApiCreation,
  ApiDeletion,
  ApiMerge,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/managed-writes.js';
import { RecipientInput, RecipientPatch } from './dto/recipient.input.js';
import { DeletedRecipientResponse, NoticeTestResponse, RecipientResponse } from './dto/recipient.response.js';
import { notConfirmed, RecipientTests } from './recipient-tests.js';
import { alreadyConfirmed, duplicate, RecipientsService } from './recipients.service.js';

const RECIPIENT = {
  object: 'recipient',
  name: 'Recipient',
  scope: 'recipients',
  response: RecipientResponse,
  deleted: DeletedRecipientResponse,
} as const;
const OF_ONE = { exampleId: 'example-recipient' } as const;
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
@Controller({ path: 'recipients', version: '1' })
export class RecipientWritesController {
  constructor(
    private readonly recipients: RecipientsService,
    private readonly tests: RecipientTests,
  ) {}

  @Post()
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
  @ApiMerge(RECIPIENT, {
    ...OF_ONE,
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
  @ApiDeletion(RECIPIENT, { exampleId: 'old-recipient', description: 'With its notices.' })
  remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedRecipientResponse>> {
    return this.recipients.remove(id, writer);
  }

  @Post(':id/confirmation')
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
  @ApiAction(
    RECIPIENT,
    {
      ...OF_ONE,
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
