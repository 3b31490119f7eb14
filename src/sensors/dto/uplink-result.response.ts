// What became of a message of a network server, and of those that were tried again.
import { ApiProperty } from '@nestjs/swagger';
import { ApiNullable, ApiObjectName, COUNT, FILL, INSTANT, TEXT_OR_NULL } from '../../openapi/properties.js';
import { OUTCOMES, type Outcome } from '../uplink-writer.js';

export class UplinkResultResponse {
  @ApiObjectName('uplink_result')
  object: 'uplink_result';

  @ApiProperty({
    enum: OUTCOMES,
    enumName: 'UplinkOutcome',
    description:
      'What became of it: its reading was stored, was there already, there was none in it, or it waits in quarantine.',
    example: 'stored',
  })
  outcome: Outcome;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Why it was ignored or is in quarantine.', example: null })
  reason: string | null;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'The device; an EUI in upper case without separators.',
    example: '0016C001F000175A',
  })
  device_id: string | null;

  @ApiNullable('string', 'The tank that has the device, if one has.', '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e')
  tank_id: string | null;

  @ApiProperty({
    ...INSTANT,
    nullable: true,
    description: 'The time of the uplink, and of its reading.',
    example: '2026-10-31T18:00:00.000Z',
  })
  created_at: string | null;

  @ApiProperty({ ...FILL, nullable: true, description: 'The fill of its reading.', example: 42.5 })
  fill_percentage: number | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Its id in quarantine.', example: null })
  uplink_id: string | null;
}

export class RetryResultResponse {
  @ApiObjectName('retry_result')
  object: 'retry_result';

  @ApiProperty({ ...COUNT, description: 'How many became readings.', example: 3 })
  stored: number;

  @ApiProperty({ ...COUNT, description: 'How many had readings that were there already.', example: 0 })
  unchanged: number;

  @ApiProperty({ ...COUNT, description: 'How many stay in quarantine.', example: 2 })
  quarantined: number;

  @ApiProperty({ ...COUNT, description: 'How many were not tried yet.', example: 0 })
  remaining: number;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'What to send as `after` to go on; null when none remain.',
    example: null,
  })
  next: string | null;
}
