// A tank as it is sent, for the OpenAPI document; tank.fields.ts says what is checked.
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { LocationResponse, TankResponse } from './tank.response.js';

export class LocationInput extends PartialType(LocationResponse) {}

const Required = PickType(TankResponse, ['name', 'owner_id', 'capacity', 'capacity_unit'] as const);
const Optional = PartialType(
  PickType(TankResponse, [
    'assigned_device_id',
    'created_at',
    'custom_id',
    'min_fill_alert_percentage',
    'use_case',
  ] as const),
);

export class TankInput extends IntersectionType(Required, Optional) {
  @ApiProperty({
    type: LocationInput,
    required: false,
    nullable: true,
    description: 'Location of the tank; what is left out is null, and null is all of it.',
  })
  location?: LocationInput | null;
}

export class TankPatch extends PartialType(OmitType(TankInput, ['location'] as const)) {
  @ApiProperty({
    type: LocationInput,
    required: false,
    nullable: true,
    description: 'What is given of the location changes, what is left out stays; null clears all of it.',
    example: { city: 'Rotterdam', district: null },
  })
  location?: LocationInput | null;
}
