// An uplink in quarantine, as the API shows it.
import { ApiProperty } from '@nestjs/swagger';
import { isoFromPostgres } from '../../datetime/datetime.js';
import { ApiDeleted, ApiInstant, ApiObjectName } from '../../openapi/properties.js';
import { listResponseOf } from '../../pagination/dto/list.response.js';
import { REASONS, type Reason } from '../interpret.js';
import { SOURCES, type Source } from '../uplink.js';

const ID = {
  description: 'Unique identifier of the uplink.',
  example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
};

export class UplinkResponse {
  @ApiProperty(ID)
  id: string;

  @ApiObjectName('uplink')
  object: 'uplink';

  @ApiInstant('When it was received.', '2026-10-31T18:00:01.000Z')
  created_at: string;

  @ApiProperty({
    enum: SOURCES,
    enumName: 'UplinkSource',
    description: 'What sent it.',
    example: 'chirpstack',
  })
  source: Source;

  @ApiProperty({
    description: 'Its device; an EUI in upper case without separators.',
    example: '0016C001F000175A',
  })
  device_id: string;

  @ApiProperty({
    enum: REASONS,
    enumName: 'QuarantineReason',
    description: 'Why it could not become a reading.',
    example: 'unknown_device',
  })
  reason: Reason;
}

export class WholeUplinkResponse extends UplinkResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The message as it was sent.',
    example: { deviceInfo: { devEui: '0016c001f000175a' }, time: '2026-10-31T18:00:00.123456789Z' },
  })
  payload: object;
}

export class DeletedUplinkResponse {
  @ApiProperty(ID)
  id: string;

  @ApiObjectName('uplink')
  object: 'uplink';

  @ApiDeleted('uplink')
  deleted: true;
}

export const UplinkListResponse = listResponseOf(UplinkResponse, 'UplinkListResponse');

export type UplinkRow = Omit<UplinkResponse, 'object'>;

export function toUplinkResponse(row: UplinkRow): UplinkResponse {
  return {
    id: row.id,
    object: 'uplink',
    created_at: isoFromPostgres(row.created_at),
    source: row.source,
    device_id: row.device_id,
    reason: row.reason,
  };
}
