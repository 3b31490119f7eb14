// What a suggested run is asked for with.
import { PickType } from '@nestjs/swagger';
import { ApiField, ApiOptional } from '../../common/openapi/properties.js';
import { ApiSearch } from '../../common/search.js';
import { IsNumberIn, IsText, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { IsDay, RunInput } from './run.input.js';
import { DAY } from './run.response.js';

export class SuggestionInput extends PickType(RunInput, [
  'date',
  'capacity',
  'capacity_unit',
  'start',
] as const) {
  static readonly fields = [
    'date',
    'until',
    'capacity',
    'capacity_unit',
    'start',
    'fill_to',
    'owner_id',
    'q',
  ];

  @ApiField(
    'Tanks are due that are low, or may reach their alert by this day: 7 days later, unless given.',
    '2026-12-01',
    { ...DAY, required: false },
  )
  @MayBeLeftOut()
  @IsDay()
  until?: string;

  @ApiField('Up to what level tanks are filled, in percent.', 85, {
    type: 'number',
    minimum: 1,
    maximum: 100,
    default: 85,
    required: false,
  })
  @MayBeLeftOut()
  @IsNumberIn({ min: 1, max: 100 })
  fill_to: number = 85;

  @ApiOptional(
    'Only tanks of this customer.',
    { minLength: 1, example: 'example-customer' },
    IsText({ min: 1 }),
  )
  owner_id?: string | null;

  @ApiSearch(
    'tanks',
    "name, custom id, device id, address, or in the owner's name, email or phone",
    'rotterdam',
  )
  q?: string | null;
}
