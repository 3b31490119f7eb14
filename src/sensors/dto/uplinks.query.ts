// The parameters of the list of uplinks in quarantine: the common ones, a device and a reason.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ListQuery } from '../../pagination/dto/list.query.js';
import { IsFilled, IsOneOf } from '../../validation/rules.js';
import { REASONS, type Reason } from '../interpret.js';

export class UplinksQuery extends ListQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    minLength: 1,
    description: 'Only uplinks of this device; an EUI may be written in any way.',
  })
  @IsOptional()
  @IsFilled()
  device_id?: string;

  @ApiProperty({
    enum: REASONS,
    enumName: 'QuarantineReason',
    required: false,
    description: 'Only uplinks that wait for this reason.',
  })
  @IsOptional()
  @IsOneOf(REASONS)
  reason?: Reason;
}
