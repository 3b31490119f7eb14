// A tank as it is sent: its fields and rules are those of TankResponse.
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import { ApiField, ApiInstant, ApiOptional } from '../../common/openapi/properties.js';
import {
  IsExactly,
  IsNumberIn,
  IsObjectOf,
  IsText,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import { limitTexts } from '../../common/validation/limited-text.js';
import {
  IsCreationTime,
  NOT_NULL,
  ReadOnlyFields,
  ReadOnlyFieldsOfLine,
} from '../../common/validation/read-only-fields.js';
import { LocationResponse, TankResponse } from './tank.response.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { IsFilled } from '../../common/validation/parameter-rules.js';
import type { ImportedKind } from '../../common/pagination/columns.js';
import { Tank } from '../tank.entity.js';

export class LocationInput extends PartialType(LocationResponse) {
  static readonly fields = Object.keys(new LocationResponse());
}
limitTexts(LocationInput, 'city', 'country', 'district', 'postal_code', 'region', 'street', 'street_number');

const REQUIRED = ['name', 'owner_id', 'capacity', 'capacity_unit'] as const;
const OWN = ['id', 'object', 'created_at', 'updated_at', 'location'] as const;

class Own extends ReadOnlyFields {
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
limitTexts(TankInput, 'name', 'custom_id');

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

const Exactly = (description: string) => ApiOptional(description, { minLength: 1 }, IsFilled());

export class TanksQuery extends ListQuery {
  @Exactly('Only tanks of this customer.')
  owner_id?: string;

  @Exactly('Only tanks with exactly this custom id (case-sensitive).')
  custom_id?: string;

  @Exactly(
    'Only tanks with this device. An EUI is the same device however it is written; every other id is exact.',
  )
  assigned_device_id?: string;
}

// A tank as a line of a file: the whole object. Rules are those of the API, relaxed for data stored before those rules existed.
const RELAXED = [
  'id',
  'assigned_device_id',
  'created_at',
  'deleted',
  'location',
  'min_fill_alert_percentage',
  'updated_at',
] as const;

export class TankLine extends IntersectionType(OmitType(TankInput, RELAXED), ReadOnlyFieldsOfLine) {
  static readonly fields = TankInput.fields;

  @IsText()
  assigned_device_id: string;

  @ValidateIf((_, value) => value !== null)
  @IsObjectOf(LocationInput, ' or null')
  location: LocationInput | null;

  @IsNumberIn({ min: 0, max: 100, isWhole: true })
  min_fill_alert_percentage: number;
}

export const TANKS: ImportedKind = {
  object: 'tank',
  table: 'tanks',
  entity: Tank,
  line: TankLine,
  response: TankResponse,
  computed: {},
};
