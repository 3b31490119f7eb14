// An uplink in quarantine, as the API shows it.
import { PickType } from '@nestjs/swagger';
import { isoFromPostgres } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiObjectName,
  ANY_JSON,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { shownAs } from '../../common/shown-as.js';
import { REASONS, type Reason } from '../interpret.js';

export class UplinkResponse {
  @ApiField('Unique identifier of the uplink.', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  id: string;

  @ApiObjectName('uplink')
  object: 'uplink';

  @ApiInstant('When it was received.', '2026-10-31T18:00:01.000Z')
  created_at: string;

  @ApiField('What sent it: `chirpstack`, `tts`, `generic`, or the id of a source.', 'chirpstack')
  source: string;

  @ApiField('Its device; an EUI in upper case without separators.', '0016C001F000175A')
  device_id: string;

  @ApiField('Why it could not become a reading.', 'unknown_device', {
    enum: REASONS,
    enumName: 'QuarantineReason',
  })
  reason: Reason;

  @ApiField('What its source found in it; null of other senders.', null, TEXT_OR_NULL)
  detail: string | null;

  @ApiField('The MQTT topic it came by.', null, TEXT_OR_NULL)
  topic: string | null;
}

export class WholeUplinkResponse extends UplinkResponse {
  @ApiField(
    'The message as it was sent.',
    { deviceInfo: { devEui: '0016c001f000175a' }, time: '2026-10-31T18:00:00.123456789Z' },
    ANY_JSON,
  )
  payload: unknown;
}

export class DeletedUplinkResponse extends PickType(UplinkResponse, ['id', 'object'] as const) {
  @ApiDeleted('uplink')
  deleted: true;
}

export const UplinkListResponse = createListResponse(UplinkResponse, 'UplinkListResponse');

export type UplinkRow = Omit<UplinkResponse, 'object'>;

export function toUplinkResponse(row: UplinkRow): UplinkResponse {
  return shownAs(UplinkResponse, { ...row, object: 'uplink', created_at: isoFromPostgres(row.created_at) });
}
