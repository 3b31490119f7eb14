// The parameters of the fleet: whose tanks, in what state, with what text, in what order.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { PageQuery } from '../../pagination/dto/page.query.js';
import { IsFilled, IsOneOf, IsText } from '../../pagination/rules.js';
import { USE_CASES, type UseCase } from '../../tanks/tank.fields.js';
import { FLEET_SORTS, type FleetSort } from '../fleet-statements.js';

const YES_OR_NO = ['true', 'false'] as const;
type YesOrNo = (typeof YES_OR_NO)[number];

const OWNER = {
  type: 'string',
  required: false,
  minLength: 1,
  description: 'Only the tanks of this customer.',
} as const;

export class FleetQuery {
  @ApiProperty(OWNER)
  @IsOptional()
  @IsFilled()
  owner_id?: string;
}

const TRUE_OR_FALSE = {
  enum: YES_OR_NO,
  enumName: 'YesOrNo',
  enumSchema: { description: '`true` or `false`.' },
  required: false,
} as const;

export class FleetTanksQuery extends PageQuery {
  @ApiProperty({
    ...TRUE_OR_FALSE,
    description: 'Only tanks that are low (`true`) or not (`false`).',
  })
  @IsOptional()
  @IsOneOf(YES_OR_NO)
  low?: YesOrNo;

  @ApiProperty({
    ...TRUE_OR_FALSE,
    description: 'Only tanks that have fallen silent (`true`) or not (`false`).',
  })
  @IsOptional()
  @IsOneOf(YES_OR_NO)
  silent?: YesOrNo;

  @ApiProperty({
    ...TRUE_OR_FALSE,
    description: 'Only tanks with a reading (`true`) or without any (`false`).',
  })
  @IsOptional()
  @IsOneOf(YES_OR_NO)
  reported?: YesOrNo;

  @ApiProperty(OWNER)
  @IsOptional()
  @IsFilled()
  owner_id?: string;

  @ApiProperty({
    enum: USE_CASES,
    enumName: 'UseCase',
    required: false,
    description: 'Only tanks with this use case.',
  })
  @IsOptional()
  @IsOneOf(USE_CASES)
  use_case?: UseCase;

  @ApiProperty({
    type: 'string',
    required: false,
    minLength: 2,
    maxLength: 100,
    description:
      "Only tanks with this text in their name, custom id, device id, city or owner's name, in upper or lower case.",
  })
  @IsOptional()
  @IsText({ min: 2, max: 100 })
  q?: string;

  @ApiProperty({
    enum: FLEET_SORTS,
    enumName: 'FleetSort',
    required: false,
    default: 'fill_percentage',
    description:
      '`fill_percentage`: lowest first, never reported last. `reported_at`: longest silent first, never reported before ' +
      'all. `created_at`: newest first. Ties go by `tank_id`.',
  })
  @IsOptional()
  @IsOneOf(FLEET_SORTS)
  sort?: FleetSort;
}
