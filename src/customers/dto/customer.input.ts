// A customer as it is sent: its fields and rules are those of CustomerResponse.
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { ApiInstant } from '../../openapi/properties.js';
import { fault, type Fault } from '../../validation/fault.js';
import { hasNo, IsExactly, IsInstant, MayBeLeftOut } from '../../validation/fields.js';
import { IsCreationTime, OwnFields } from '../../validation/own-fields.js';
import { noInstant } from '../../validation/values.js';
import { CustomerResponse } from './customer.response.js';

const REQUIRED = ['email', 'name'] as const;
const OWN = [
  'id',
  'object',
  'created_at',
  'updated_at',
  'tank_count',
  'last_seen_at',
  'verified_at',
] as const;

export const NEEDS_VERIFIED: Fault = fault('must be null unless is_verified is true');

class Own extends OwnFields {
  @MayBeLeftOut()
  @IsExactly('customer')
  object?: 'customer';

  @ApiInstant('When the customer was created.', '2026-01-31T08:15:30.123Z', { required: false })
  @IsCreationTime()
  created_at?: Date;

  @Allow()
  tank_count?: unknown;

  @ApiInstant("The customer's last activity.", '2026-10-30T17:42:05.000Z', {
    nullable: true,
    required: false,
  })
  @IsOptional()
  @IsInstant()
  last_seen_at?: Date | null;

  @ApiInstant('When the customer verified their email.', '2026-02-01T09:30:00.000Z', {
    nullable: true,
    required: false,
  })
  @IsOptional()
  @IsInstant()
  @HasIsVerified()
  verified_at?: Date | null;
}

/** PartialType would let null pass for what may be left out. */
const NOT_NULL = { skipNullProperties: false };

export class CustomerInput extends IntersectionType(
  PickType(CustomerResponse, REQUIRED),
  PartialType(OmitType(CustomerResponse, [...REQUIRED, ...OWN] as const), NOT_NULL),
  Own,
) {
  static readonly fields = [...Object.keys(new CustomerResponse()), 'deleted'];
}

export class CustomerPatch extends PartialType(CustomerInput, NOT_NULL) {
  static readonly fields = CustomerInput.fields;
}

/** A patch that does not say whether it is verified is judged with what is stored. */
function HasIsVerified(): PropertyDecorator {
  return hasNo('hasIsVerified', (value, customer) => {
    if (!(value instanceof Date)) return noInstant(value);
    const { is_verified: isVerified } = customer as Partial<CustomerInput>;
    const isOpen = isVerified === undefined && customer instanceof CustomerPatch;
    return isVerified === true || isOpen ? undefined : NEEDS_VERIFIED;
  });
}
