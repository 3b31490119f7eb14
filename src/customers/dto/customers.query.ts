// The parameters of the customers list: the common ones and an exact email.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ListQuery } from '../../pagination/dto/list.query.js';
import { IsFilled } from '../../validation/rules.js';

export class CustomersQuery extends ListQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    minLength: 1,
    description: 'Only customers with exactly this email (case-sensitive).',
  })
  @IsOptional()
  @IsFilled()
  email?: string;
}
