// What a test of a webhook brings: an event of no tank.
import { ApiField, ApiInstant, ApiObjectName } from '../../common/openapi/properties.js';

const ALWAYS_NULL = { type: 'null' } as const;

export class PingResponse {
  @ApiField(
    'Unique identifier of the ping; also in `webhook-id`. It is in no list of events.',
    '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
  )
  id: string;

  @ApiObjectName('event')
  object: 'event';

  @ApiField('Always `ping`.', 'ping', { type: 'string', enum: ['ping'] })
  type: 'ping';

  @ApiInstant('When it was sent.', '2026-10-31T18:00:04.218Z')
  created_at: string;

  @ApiField('Always null.', null, ALWAYS_NULL)
  tank_id: null;

  @ApiField('Always null.', null, ALWAYS_NULL)
  owner_id: null;

  @ApiField('Always empty.', {}, { type: 'object', additionalProperties: false })
  data: Record<string, never>;
}
