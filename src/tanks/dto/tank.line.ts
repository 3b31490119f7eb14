// A tank as a line of a file: the whole object. Rules are those of the API, relaxed for data stored before those rules existed.
import { IntersectionType, OmitType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import type { LineKind } from '../../common/pagination/line-kind.js';
import { IsNumberIn, IsObjectOf, IsText } from '../../common/validation/field-rules.js';
import { OwnFieldsOfLine } from '../../common/validation/own-fields.js';
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

export class TankLine extends IntersectionType(OmitType(TankInput, OTHERWISE), OwnFieldsOfLine) {
  static readonly fields = TankInput.fields;

  @IsText()
  assigned_device_id: string;

  @ValidateIf((_, value) => value !== null)
  @IsObjectOf(LocationInput, ' or null')
  location: LocationInput | null;

  @IsNumberIn({ min: 0, max: 100, isWhole: true })
  min_fill_alert_percentage: number;
}

export const TANKS: LineKind = {
  object: 'tank',
  table: 'tanks',
  entity: Tank,
  line: TankLine,
  response: TankResponse,
  computed: {},
};
