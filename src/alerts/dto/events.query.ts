// The parameters of the events list: the common ones, a type and a tank.
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ListQuery } from '../../pagination/dto/list.query.js';
import { IsFilled, IsOneOf } from '../../validation/rules.js';
import { EVENT_TYPES, type EventType } from '../event-types.js';

export class EventsQuery extends ListQuery {
  @ApiProperty({
    enum: EVENT_TYPES,
    enumName: 'EventType',
    required: false,
    description: 'Only events of this type.',
  })
  @IsOptional()
  @IsOneOf(EVENT_TYPES)
  type?: EventType;

  @ApiProperty({ type: 'string', required: false, minLength: 1, description: 'Only events of this tank.' })
  @IsOptional()
  @IsFilled()
  tank_id?: string;
}
