// A customer as it is sent: its fields and rules are those of CustomerResponse.
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { ApiInstant, ApiInstantOrNull, ApiOptional } from '../../common/openapi/properties.js';
import { fault, type Fault } from '../../common/validation/fault.js';
import {
  fieldRule,
  IsExactly,
  IsInstant,
  IsText,
  IsTrueOrFalse,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import { limitTexts } from '../../common/validation/limited-text.js';
import {
  IsCreationTime,
  NOT_NULL,
  ReadOnlyFields,
  ReadOnlyFieldsOfLine,
} from '../../common/validation/read-only-fields.js';
import { noInstant } from '../../common/validation/values.js';
import { CustomerResponse } from './customer.response.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { ApiSearch } from '../../common/search.js';
import { IsFilled } from '../../common/validation/parameter-rules.js';
import type { ImportedKind } from '../../common/pagination/columns.js';
import { Customer } from '../customer.entity.js';

const REQUIRED = ['email', 'name'] as const;
const STORED = ['id', 'object', 'created_at', 'updated_at', 'tank_count'] as const;
const READ_ONLY = [...STORED, 'last_seen_at', 'verified_at'] as const;

export const NEEDS_VERIFIED: Fault = fault('must be null unless is_verified is true');

class Own extends ReadOnlyFields {
  @MayBeLeftOut()
  @IsExactly('customer')
  object?: 'customer';

  @ApiInstant('When the customer was created.', '2026-01-31T08:15:30.123Z', { required: false })
  @IsCreationTime()
  created_at?: Date;

  @Allow()
  tank_count?: unknown;

  @ApiInstantOrNull("The customer's last activity.", '2026-10-30T17:42:05.000Z', { required: false })
  @IsOptional()
  @IsInstant()
  last_seen_at?: Date | null;

  @ApiInstantOrNull('When the customer verified their email.', '2026-02-01T09:30:00.000Z', {
    required: false,
  })
  @IsOptional()
  @IsInstant()
  @HasIsVerified()
  verified_at?: Date | null;
}

export class CustomerInput extends IntersectionType(
  PickType(CustomerResponse, REQUIRED),
  PartialType(OmitType(CustomerResponse, [...REQUIRED, ...READ_ONLY] as const), NOT_NULL),
  Own,
) {
  static readonly fields = [...Object.keys(new CustomerResponse()), 'deleted'];
}
limitTexts(CustomerInput, 'name', 'phone');

export class CustomerPatch extends PartialType(CustomerInput, NOT_NULL) {
  static readonly fields = CustomerInput.fields;
}

/** A patch that does not say whether it is verified is judged with what is stored. */
function HasIsVerified(): PropertyDecorator {
  return fieldRule('hasIsVerified', (value, customer) => {
    if (!(value instanceof Date)) return noInstant(value);
    const { is_verified: isVerified } = customer as Partial<CustomerInput>;
    const isOpen = isVerified === undefined && customer instanceof CustomerPatch;
    return isVerified === true || isOpen ? undefined : NEEDS_VERIFIED;
  });
}

export class CustomersQuery extends ListQuery {
  @ApiOptional('Only customers with exactly this email (case-sensitive).', { minLength: 1 }, IsFilled())
  email?: string;

  @ApiSearch('customers', 'name, email or phone')
  q?: string;
}

// A customer as a line of a file: the whole object. Rules are those of the API, but for what was stored before it had them.
const RELAXED = ['id', 'created_at', 'deleted', 'is_verified', 'name', 'updated_at'] as const;

export class CustomerLine extends IntersectionType(OmitType(CustomerInput, RELAXED), ReadOnlyFieldsOfLine) {
  static readonly fields = CustomerInput.fields;

  @IsTrueOrFalse()
  is_verified: boolean;

  @IsText()
  name: string;
}

export const TANK_COUNT =
  '(select count(*) from tanks where tanks.owner_id = customer.id and not tanks.deleted)';

export const CUSTOMERS: ImportedKind = {
  object: 'customer',
  table: 'customers',
  entity: Customer,
  line: CustomerLine,
  response: CustomerResponse,
  computed: { tank_count: TANK_COUNT },
};
