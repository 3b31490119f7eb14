// A notice, which is a mail that was sent or is to be, as the API shows it.
import { isoFrom, isoOrNull } from '../../common/datetime/datetime.js';
import {
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  COUNT,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { shownAs } from '../../common/shown-as.js';

export const NOTICE_KINDS = ['events', 'daily', 'confirmation', 'test'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
const STATUSES = ['pending', 'sent', 'failed', 'off'] as const;

export class NoticeResponse {
  @ApiField('Unique identifier of the notice.', '019b7a6e-5e30-7a42-9b1c-7d2f3e4a5b6c')
  id: string;

  @ApiObjectName('notice')
  object: 'notice';

  @ApiInstant('When it was made; of events, when the first of them was noticed.', '2026-10-31T18:00:04.218Z')
  created_at: string;

  @ApiField('Identifier of the recipient.', '019b7a6e-4d20-7c11-b0a2-6f1e2d3c4b5a')
  recipient_id: string;

  @ApiField('What it is about.', 'events', { type: 'string', enum: NOTICE_KINDS, enumName: 'NoticeKind' })
  kind: NoticeKind;

  @ApiField('The subject of the mail.', 'Boiler house is low: 18 %')
  subject: string;

  @ApiField('The events it tells of, up to 50, oldest first.', ['019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e'], {
    type: 'string',
    isArray: true,
  })
  event_ids: string[];

  @ApiField(
    '`sent`: the mail server has taken it. `failed` and `off` (there was no mail server) are for good.',
    'sent',
    { type: 'string', enum: STATUSES, enumName: 'NoticeStatus' },
  )
  status: (typeof STATUSES)[number];

  @ApiField('How often it was tried.', 1, COUNT)
  attempts: number;

  @ApiInstantOrNull('When it was last tried.', '2026-10-31T18:01:04.218Z')
  last_attempt_at: string | null;

  @ApiInstantOrNull('When a pending one is tried next.', '2026-10-31T18:02:04.218Z')
  next_attempt_at: string | null;

  @ApiField("The mail server's last line, or what went wrong.", '250 2.0.0 Ok', {
    ...TEXT_OR_NULL,
    maxLength: 500,
  })
  reply: string | null;

  @ApiInstantOrNull('When the mail server took it.', '2026-10-31T18:01:04.500Z')
  sent_at: string | null;
}

export const NoticeListResponse = createListResponse(NoticeResponse, 'NoticeListResponse');

export type NoticeRow = Omit<NoticeResponse, 'object'>;

export function toNoticeResponse(row: NoticeRow): NoticeResponse {
  return shownAs(NoticeResponse, {
    ...row,
    object: 'notice',
    created_at: isoFrom(row.created_at),
    last_attempt_at: isoOrNull(row.last_attempt_at),
    next_attempt_at: isoOrNull(row.next_attempt_at),
    sent_at: isoOrNull(row.sent_at),
  });
}
