// The parameters of a message of a network server.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsFlag, rule } from '../../validation/rules.js';

export class UplinkQuery {
  @ApiProperty({
    type: 'string',
    enum: ['true', 'false'],
    required: false,
    default: 'false',
    description: 'With `true`, nothing is stored, noted or counted; the answer says what would happen.',
  })
  @IsOptional()
  @IsFlag()
  dry_run: boolean = false;
}

export class ChirpStackQuery extends UplinkQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    default: 'up',
    description:
      'What happened, as ChirpStack adds it to the address. Only `up` can be a reading; `status` tells the battery.',
  })
  @IsOptional()
  @rule('isOne', (value) => typeof value === 'string', () => '')
  event?: string;
}
