// How fast a tank is being emptied, as the API shows it.
import { ApiProperty } from '@nestjs/swagger';

export class ConsumptionResponse {
  @ApiProperty({ type: 'number', description: 'Percentage points used a day.', example: 1.85 })
  percent_per_day: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Days until the tank is empty.', example: 34.3 })
  days_left: number;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    description: 'Days until `min_fill_alert_percentage` is reached; 0 when the tank is low.',
    example: 23.5,
  })
  days_to_alert: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'The first reading it was told from.',
    example: '2026-10-17T18:00:00.000Z',
  })
  since: string;
}
