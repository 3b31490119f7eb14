// A tank as a line of a file: the whole object. Rules are those of the API, but for what was stored before it had them.
import { OmitType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import type { LineKind } from '../../formats/line-kind.js';
import {
  IsInstant,
  IsNumberIn,
  IsObjectOf,
  IsText,
  IsTrueOrFalse,
  MayBeLeftOut,
} from '../../validation/fields.js';
import { ID } from '../../validation/values.js';
import { Tank } from '../tank.entity.js';
import { LocationInput, TankInput } from './tank.input.js';
import { TankResponse } from './tank.response.js';

const OTHERWISE = [
  'id',
  'assigned_device_id',
  'created_at',
  'deleted',
  'location',
  'min_fill_alert_percentage',
  'updated_at',
] as const;

export class TankLine extends OmitType(TankInput, OTHERWISE) {
  static readonly fields = TankInput.fields;

  @IsText(ID)
  id: string;

  @IsText()
  assigned_device_id: string;

  @MayBeLeftOut()
  @IsInstant()
  created_at?: Date;

  @MayBeLeftOut()
  @IsTrueOrFalse()
  deleted?: boolean;

  @ValidateIf((_, value) => value !== null)
  @IsObjectOf(LocationInput, ' or null')
  location: LocationInput | null;

  @IsNumberIn({ min: 0, max: 100, isWhole: true })
  min_fill_alert_percentage: number;

  @MayBeLeftOut()
  @IsInstant()
  updated_at?: Date;
}

export const TANKS: LineKind = {
  object: 'tank',
  table: 'tanks',
  entity: Tank,
  line: TankLine,
  response: TankResponse,
  computed: {},
};
