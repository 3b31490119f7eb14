// A reading as it is sent, for the OpenAPI document; reading.ts says what is checked.
import { ApiProperty } from '@nestjs/swagger';
import { ApiInstant } from '../../openapi/properties.js';

const OPTIONAL_TEXT = { type: 'string', required: false, nullable: true } as const;

export class SentReading {
  @ApiProperty({
    ...OPTIONAL_TEXT,
    description: 'Identifier of the tank. This or `device_id`, not both.',
    example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
  })
  tank_id?: string | null;

  @ApiProperty({
    ...OPTIONAL_TEXT,
    description: 'Identifier of the device: it stands for the live tank with this `assigned_device_id`.',
    example: 'dev-18a3f2',
  })
  device_id?: string | null;

  @ApiInstant(
    'When the reading was taken: RFC 3339, at most 5 minutes ahead of our clock.',
    '2026-10-31T18:00:00Z',
  )
  created_at: string;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: 'Fill level of the tank as a percentage.',
    example: 63.4,
  })
  fill_percentage: number;

  @ApiProperty({
    ...OPTIONAL_TEXT,
    enum: ['telemetry'],
    description: 'Optional; exported readings have it.',
    example: 'telemetry',
  })
  object?: 'telemetry' | null;
}

export class SentReadings {
  @ApiProperty({ type: [SentReading], minItems: 1, maxItems: 10_000, description: 'The readings.' })
  readings: SentReading[];
}
