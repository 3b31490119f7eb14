// The one parameter of POST /v1/telemetry.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsFlag } from '../../validation/rules.js';

export class IngestQuery {
  @ApiProperty({
    type: 'string',
    enum: ['true', 'false'],
    required: false,
    default: 'false',
    description: 'With `true`, nothing is stored if any reading is refused.',
  })
  @IsOptional()
  @IsFlag()
  atomic: boolean = false;
}
