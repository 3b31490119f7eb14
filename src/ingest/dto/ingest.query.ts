// The one parameter of POST /v1/telemetry.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsFlag } from '../../validation/rules.js';

export class IngestQuery {
  @ApiProperty({
    enum: ['true', 'false'],
    enumName: 'YesOrNo',
    enumSchema: { description: '`true` or `false`.' },
    required: false,
    default: 'false',
    description: '`true`: one refused reading means that nothing is stored.',
  })
  @IsOptional()
  @IsFlag()
  atomic: boolean = false;
}
