// A customer as it is sent, for the OpenAPI document; customer.fields.ts says what is checked.
import { IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { CustomerResponse } from './customer.response.js';

const Required = PickType(CustomerResponse, ['email', 'name'] as const);
const Optional = PartialType(
  PickType(CustomerResponse, ['created_at', 'is_verified', 'last_seen_at', 'phone', 'verified_at'] as const),
);

export class CustomerInput extends IntersectionType(Required, Optional) {}

export class CustomerPatch extends PartialType(CustomerInput) {}
