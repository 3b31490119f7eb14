// A reading as it is sent, for the OpenAPI document; reading.ts says what is checked.
import { ApiProperty } from '@nestjs/swagger';
import { MAX_READINGS } from '../parse-body.js';
import { ApiField, ApiInstant, FILL } from '../../../common/openapi/properties.js';

const OPTIONAL_TEXT = { type: 'string', required: false, nullable: true } as const;

export class SentReading {
  @ApiField(
    'Identifier of the tank. This or `device_id`, not both.',
    '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
    OPTIONAL_TEXT,
  )
  tank_id?: string | null;

  @ApiField(
    'Identifier of the device: it stands for the live tank with this `assigned_device_id`.',
    'dev-18a3f2',
    OPTIONAL_TEXT,
  )
  device_id?: string | null;

  @ApiInstant(
    'When the reading was taken: RFC 3339, at most 5 minutes ahead of our clock.',
    '2026-10-31T18:00:00Z',
  )
  created_at: string;

  @ApiField('Fill level of the tank as a percentage.', 63.4, FILL)
  fill_percentage: number;

  @ApiField('Always `telemetry`, if it is sent; exported readings have it.', 'telemetry', {
    anyOf: [{ type: 'string', enum: ['telemetry'] }, { type: 'null' }],
    required: false,
  })
  object?: 'telemetry' | null;
}

export class SentReadings {
  @ApiProperty({ type: [SentReading], minItems: 1, maxItems: MAX_READINGS, description: 'The readings.' })
  readings: SentReading[];
}
