// A tank as it is sent: its fields and rules are those of TankResponse.
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiField, ApiInstant, ApiOptional } from '../../common/openapi/properties.js';
import { IsExactly, IsObjectOf, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { IsCreationTime, NOT_NULL, OwnFields } from '../../common/validation/own-fields.js';
import { LocationResponse, TankResponse } from './tank.response.js';

export class LocationInput extends PartialType(LocationResponse) {
  static readonly fields = Object.keys(new LocationResponse());
}

const REQUIRED = ['name', 'owner_id', 'capacity', 'capacity_unit'] as const;
const OWN = ['id', 'object', 'created_at', 'updated_at', 'location'] as const;

class Own extends OwnFields {
  @MayBeLeftOut()
  @IsExactly('tank')
  object?: 'tank';

  @ApiInstant('When the tank was created.', '2026-01-31T08:15:30.123Z', { required: false })
  @IsCreationTime()
  created_at?: Date;
}

export class TankInput extends IntersectionType(
  PickType(TankResponse, REQUIRED),
  PartialType(OmitType(TankResponse, [...REQUIRED, ...OWN] as const), NOT_NULL),
  Own,
) {
  static readonly fields = [...Object.keys(new TankResponse()), 'deleted'];

  @ApiOptional(
    'Location of the tank; what is left out is null, and null is as all null.',
    { type: LocationInput, nullable: true },
    IsObjectOf(LocationInput, ' or null'),
  )
  location?: LocationInput | null;
}

export class TankPatch extends PartialType(OmitType(TankInput, ['location'] as const), NOT_NULL) {
  static readonly fields = TankInput.fields;

  @ApiField(
    'What is given of the location changes, what is left out stays; null clears all of it.',
    { city: 'Rotterdam', district: null },
    { type: LocationInput, required: false, nullable: true },
  )
  @IsOptional()
  @IsObjectOf(LocationInput, ' or null')
  location?: LocationInput | null;
}
