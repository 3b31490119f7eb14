// A customer as a line of a file: the whole object. Rules are those of the API, but for what was stored before it had them.
import { IntersectionType, OmitType } from '@nestjs/swagger';
import type { LineKind } from '../../common/pagination/line-kind.js';
import { IsText, IsTrueOrFalse } from '../../common/validation/field-rules.js';
import { OwnFieldsOfLine } from '../../common/validation/own-fields.js';
import { Customer } from '../customer.entity.js';
import { CustomerInput } from './customer.input.js';
import { CustomerResponse } from './customer.response.js';

const OTHERWISE = ['id', 'created_at', 'deleted', 'is_verified', 'name', 'updated_at'] as const;

export class CustomerLine extends IntersectionType(OmitType(CustomerInput, OTHERWISE), OwnFieldsOfLine) {
  static readonly fields = CustomerInput.fields;

  @IsTrueOrFalse()
  is_verified: boolean;

  @IsText()
  name: string;
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
