// The parameters of the fleet: whose tanks, in what state, with what text, in what order.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { PageQuery } from '../../pagination/dto/page.query.js';
import { IsFilled, IsFlag, IsOneOf, IsText } from '../../validation/rules.js';
import { USE_CASES, type UseCase } from '../../tanks/tank.fields.js';
import { FLEET_SORTS, type FleetSort } from '../fleet-statements.js';

function YesOrNo(description: string): PropertyDecorator {
  const enumSchema = { description: '`true` or `false`.' };
  return applyDecorators(
    ApiProperty({ enum: ['true', 'false'], enumName: 'YesOrNo', enumSchema, required: false, description }),
    IsOptional(),
    IsFlag(),
  );
}

const OwnerId = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'string',
      required: false,
      minLength: 1,
      description: 'Only tanks of this customer.',
    }),
    IsOptional(),
    IsFilled(),
  );

export class FleetQuery {
  @OwnerId()
  owner_id?: string;
}

export class FleetTanksQuery extends PageQuery {
  @YesOrNo('Only tanks that are low (`true`) or not (`false`).')
  low?: boolean;

  @YesOrNo('Only tanks that have fallen silent (`true`) or not (`false`).')
  silent?: boolean;

  @YesOrNo('Only tanks with a reading (`true`) or without any (`false`).')
  reported?: boolean;

  @OwnerId()
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
      "Only tanks with this text in their name, custom id, device id, city or owner's name; not case-sensitive.",
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
      '`fill_percentage`, the default: lowest first, never reported last. `reported_at`: never reported first, then longest silent first. ' +
      '`created_at`: newest first. Ties go by `tank_id`.',
  })
  @IsOptional()
  @IsOneOf(FLEET_SORTS)
  sort?: FleetSort;
}
