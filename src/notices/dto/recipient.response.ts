// A recipient and a test of one as the API shows them.
import { PickType } from '@nestjs/swagger';
import { isoFrom, isoOrNull } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  ApiOptional,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { listResponseOf } from '../../common/pagination/dto/list.response.js';
import { IsFilled, IsOneOf } from '../../common/validation/parameter-rules.js';
import { EVENT_TYPES } from '../../rules.js';
import type { Recipient } from '../recipient.entity.js';
import { LANGUAGES, RECIPIENT_STATUSES, statusOf } from '../recipient-state.js';
import type { Language, RecipientStatus } from '../recipient-state.js';

const STATUS = { type: 'string', enum: RECIPIENT_STATUSES, enumName: 'RecipientStatus' } as const;

export class RecipientsQuery extends ListQuery {
  @ApiOptional("Only those who are told about this customer's tanks alone.", { minLength: 1 }, IsFilled())
  owner_id?: string;

  @ApiOptional('Only those with this address, in upper or lower case.', { minLength: 1 }, IsFilled())
  email?: string;

  @ApiOptional('Only those in this state.', STATUS, IsOneOf(RECIPIENT_STATUSES))
  status?: RecipientStatus;
}

export class RecipientResponse {
  @ApiField('Unique identifier of the recipient.', '019b7a6e-4d20-7c11-b0a2-6f1e2d3c4b5a')
  id: string;

  @ApiObjectName('recipient')
  object: 'recipient';

  @ApiInstant('When it was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstant('When it was last changed.', '2026-09-02T11:00:00.000Z')
  updated_at: string;

  @ApiField('Where mails go to: one address.', 'office@example.com', { maxLength: 254 })
  email: string;

  @ApiField('Who that is.', 'Office', { ...TEXT_OR_NULL, maxLength: 200 })
  name: string | null;

  @ApiField(
    "Told about this customer's tanks only; null: about every tank. With a key that is bound to a customer: that one.",
    '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
    TEXT_OR_NULL,
  )
  owner_id: string | null;

  @ApiField('The events it is told about; none only with a `daily_at`.', ['tank.low', 'tank.silent'], {
    type: 'string',
    isArray: true,
    enum: EVENT_TYPES,
    enumName: 'EventType',
  })
  events: string[];

  @ApiField(
    'When the daily mail goes, in `time_zone`: what needs gas, and what is silent. Null: none.',
    '07:00',
    {
      ...TEXT_OR_NULL,
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    },
  )
  daily_at: string | null;

  @ApiField(
    'IANA time zone of `daily_at` and of the days in its mails; `UTC` when left out.',
    'Europe/Vienna',
  )
  time_zone: string;

  @ApiField('Language of its mails; `en` when left out.', 'en', { type: 'string', enum: LANGUAGES })
  language: Language;

  @ApiField('Whether it gets nothing for now.', false)
  paused: boolean;

  @ApiField(
    'The first that holds: `unsubscribed`, `failing` (three mails in a row were refused for good), `unconfirmed`, `paused`, `active`. Mails of events and daily mails go to `active` ones only.',
    'active',
    STATUS,
  )
  status: RecipientStatus;

  @ApiInstantOrNull('When its address was confirmed.', '2026-01-31T08:20:00.000Z')
  confirmed_at: string | null;

  @ApiInstantOrNull('When a mail was last taken by the mail server.', '2026-10-31T18:01:04.218Z')
  last_sent_at: string | null;

  @ApiField('Why it is `failing`: how the last mail was refused.', null, TEXT_OR_NULL)
  reason: string | null;
}

export class DeletedRecipientResponse extends PickType(RecipientResponse, ['id', 'object'] as const) {
  @ApiDeleted('recipient')
  deleted: true;
}

export const RecipientListResponse = listResponseOf(RecipientResponse, 'RecipientListResponse');

export class NoticeTestResponse {
  @ApiObjectName('notice_test')
  object: 'notice_test';

  @ApiField('Whether the mail server took it.', true)
  sent: boolean;

  @ApiField("The server's last line, or what went wrong.", '250 2.0.0 Ok')
  reply: string;
}

type Times = 'created_at' | 'updated_at' | 'confirmed_at' | 'last_sent_at';

/** A row of a statement, or the entity. */
export type RecipientRow = Omit<Recipient, Times | 'unsubscribed_at'> &
  Record<'created_at' | 'updated_at', string | Date> &
  Record<'confirmed_at' | 'last_sent_at' | 'unsubscribed_at', string | Date | null>;

export function toRecipientResponse(row: RecipientRow): RecipientResponse {
  return {
    id: row.id,
    object: 'recipient',
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    email: row.email,
    name: row.name,
    owner_id: row.owner_id,
    events: row.events,
    daily_at: row.daily_at,
    time_zone: row.time_zone,
    language: row.language,
    paused: row.paused,
    status: statusOf(row),
    confirmed_at: isoOrNull(row.confirmed_at),
    last_sent_at: isoOrNull(row.last_sent_at),
    reason: statusOf(row) === 'failing' ? row.failing_reason : null,
  };
}

/** What its `ETag` names: not when it was last written to. */
export function taggedPart(shown: RecipientResponse): object {
  return Object.assign({}, shown, { last_sent_at: undefined });
}
