// A recipient and a test of one as the API shows them, with the rules that bodies are checked by.
import { PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isoFrom, isoOrNull } from '../../common/datetime/datetime.js';
import { isTimeZone, nearestTimeZone } from '../../common/datetime/time-zone.js';
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
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { shownAs, type Row } from '../../common/shown-as.js';
import { fault, quote } from '../../common/validation/fault.js';
import { fieldRule, IsAmong, IsText } from '../../common/validation/field-rules.js';
import { AddressId } from '../../common/validation/read-only-fields.js';
import { IsFilled, IsOneOf } from '../../common/validation/parameter-rules.js';
import { ID, textFault, unknownMember } from '../../common/validation/values.js';
import { isMailAddress } from '../../platform/config/mail-settings.js';
import { EVENT_TYPES } from '../../rules.js';
import type { Recipient } from '../recipient.entity.js';
import { LANGUAGES, RECIPIENT_STATUSES, findRecipientStatus } from '../recipient-state.js';
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

export const NOTHING_TO_TELL = 'must not be empty without a daily_at';

const IsMailAddress = () =>
  fieldRule('isMailAddress', (value) => {
    if (typeof value === 'string' && isMailAddress(value)) return undefined;
    return (
      textFault(value, { min: 1, max: 254 }) ??
      fault('must be one address such as office@example.com', quote(value))
    );
  });

const HasEvents = () =>
  fieldRule('hasEvents', (value, { daily_at: daily, id }: { daily_at?: unknown; id?: unknown }) => {
    if (!Array.isArray(value)) return fault('must be an array of types of events', quote(value));
    const unknown = unknownMember(value, EVENT_TYPES, 'type');
    if (unknown !== undefined) return unknown;
    if (new Set(value).size < value.length) return fault('holds a type twice', quote(value));
    const hasNoDaily = daily === null || (daily === undefined && !(id instanceof AddressId));
    return value.length === 0 && hasNoDaily ? fault(NOTHING_TO_TELL) : undefined;
  });

const IsTimeOfDay = () =>
  fieldRule('isTimeOfDay', (value) =>
    typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
      ? undefined
      : fault('must be a time of day such as 07:00, or null', quote(value)),
  );

const IsZone = () =>
  fieldRule('isZone', (value) => {
    if (isTimeZone(value)) return undefined;
    const near = typeof value === 'string' ? nearestTimeZone(value) : undefined;
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    return fault('must be a time zone of the IANA database, such as Europe/Vienna', quote(value) + hint);
  });

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
  @IsMailAddress()
  email: string;

  @ApiField('Who that is.', 'Office', { ...TEXT_OR_NULL, maxLength: 200 })
  @IsOptional()
  @IsText({ min: 1, max: 200 })
  name: string | null;

  @ApiField(
    "Told about this customer's tanks only; null: about every tank. With a key that is bound to a customer: that one.",
    '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
    TEXT_OR_NULL,
  )
  @IsOptional()
  @IsText(ID)
  owner_id: string | null;

  @ApiField('The events it is told about; none only with a `daily_at`.', ['tank.low', 'tank.silent'], {
    type: 'string',
    isArray: true,
    enum: EVENT_TYPES,
    enumName: 'EventType',
  })
  @HasEvents()
  events: string[];

  @ApiField(
    'When the daily mail goes, in `time_zone`: what needs gas, and what is silent. Null: none.',
    '07:00',
    {
      ...TEXT_OR_NULL,
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    },
  )
  @IsOptional()
  @IsTimeOfDay()
  daily_at: string | null;

  @ApiField(
    'IANA time zone of `daily_at` and of the days in its mails; `UTC` when left out.',
    'Europe/Vienna',
  )
  @IsZone()
  time_zone: string;

  @ApiField('Language of its mails; `en` when left out.', 'en', { type: 'string', enum: LANGUAGES })
  @IsAmong(LANGUAGES)
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

export const RecipientListResponse = createListResponse(RecipientResponse, 'RecipientListResponse');

export class NoticeTestResponse {
  @ApiObjectName('notice_test')
  object: 'notice_test';

  @ApiField('Whether the mail server took it.', true)
  sent: boolean;

  @ApiField("The server's last line, or what went wrong.", '250 2.0.0 Ok')
  reply: string;
}

export type RecipientRow = Row<Recipient>;

export function toRecipientResponse(row: RecipientRow): RecipientResponse {
  const status = findRecipientStatus(row);
  return shownAs(RecipientResponse, {
    ...row,
    object: 'recipient',
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    status,
    confirmed_at: isoOrNull(row.confirmed_at),
    last_sent_at: isoOrNull(row.last_sent_at),
    reason: status === 'failing' ? row.failing_reason : null,
  });
}

/** What its `ETag` names: not when it was last written to. */
export function taggedPart(shown: object): object {
  return Object.assign({}, shown, { last_sent_at: undefined });
}
