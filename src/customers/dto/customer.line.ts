// A customer as a line of a file: the whole object. Rules are those of the API, but for what was stored before it had them.
import { OmitType } from '@nestjs/swagger';
import type { LineKind } from '../../formats/line-kind.js';
import { IsInstant, IsText, IsTrueOrFalse, MayBeLeftOut } from '../../validation/fields.js';
import { ID } from '../../validation/values.js';
import { Customer } from '../customer.entity.js';
import { CustomerInput } from './customer.input.js';
import { CustomerResponse } from './customer.response.js';

const OTHERWISE = ['id', 'created_at', 'deleted', 'is_verified', 'name', 'updated_at'] as const;

export class CustomerLine extends OmitType(CustomerInput, OTHERWISE) {
  static readonly fields = CustomerInput.fields;

  @IsText(ID)
  id: string;

  @MayBeLeftOut()
  @IsInstant()
  created_at?: Date;

  @MayBeLeftOut()
  @IsTrueOrFalse()
  deleted?: boolean;

  @IsTrueOrFalse()
  is_verified: boolean;

  @IsText()
  name: string;

  @MayBeLeftOut()
  @IsInstant()
  updated_at?: Date;
}

export const TANK_COUNT =
  '(select count(*) from tanks where tanks.owner_id = customer.id and not tanks.deleted)';

export const CUSTOMERS: LineKind = {
  object: 'customer',
  table: 'customers',
  entity: Customer,
  line: CustomerLine,
  response: CustomerResponse,
  computed: { tank_count: TANK_COUNT },
};
