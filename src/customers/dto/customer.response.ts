// A customer as the API shows it: the one description of its fields, with the rules that bodies and imported lines are checked by.
import { PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isoFrom, isoOrNull } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  COUNT,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { IsText, IsTrueOrFalse } from '../../common/validation/field-rules.js';
import { IsLimitedText } from '../../common/validation/limited-text.js';
import type { Customer } from '../customer.entity.js';

export class CustomerResponse {
  @ApiField('Unique identifier of the customer.', '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77')
  id: string;

  @ApiObjectName('customer')
  object: 'customer';

  @ApiInstant('When the customer was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiField("The customer's email address.", 'office@harbor-hotel.example.com')
  @IsText({ min: 1, max: 320 })
  email: string;

  @ApiField("Whether the customer's email has been verified.", true)
  @IsTrueOrFalse()
  is_verified: boolean;

  @ApiInstantOrNull("The customer's last activity.", '2026-10-30T17:42:05.000Z')
  last_seen_at: string | null;

  @ApiField('Full name or business name.', 'Harbor Hotel')
  @IsLimitedText({ min: 1 })
  name: string;

  @ApiField('Phone number.', '+1 206 555 0142', TEXT_OR_NULL)
  @IsOptional()
  @IsLimitedText()
  phone: string | null;

  @ApiField('Number of tanks assigned to the customer.', 3, COUNT)
  tank_count: number;

  @ApiInstant('When the customer last changed any field.', '2026-09-02T11:00:00.000Z')
  updated_at: string;

  @ApiInstantOrNull('When the customer verified their email.', '2026-02-01T09:30:00.000Z')
  verified_at: string | null;
}

export class DeletedCustomerResponse extends PickType(CustomerResponse, ['id', 'object'] as const) {
  @ApiDeleted('customer')
  deleted: true;
}

export const CustomerListResponse = createListResponse(CustomerResponse, 'CustomerListResponse');

/** The columns of a customer, as the statements read them; `tank_count` is computed for the rows of one page only. */
export type CustomerRow = Omit<CustomerResponse, 'object'> & { deleted: boolean };

/** As a retrieval by id shows it. */
export function showCustomer(
  row: CustomerRow | (Customer & { tank_count: number }),
): CustomerResponse | DeletedCustomerResponse {
  return row.deleted ? { id: row.id, object: 'customer', deleted: true } : toCustomerResponse(row);
}

/** Of a row of a statement, or of the entity. */
export function toCustomerResponse(row: CustomerRow | (Customer & { tank_count: number })): CustomerResponse {
  return {
    id: row.id,
    object: 'customer',
    created_at: isoFrom(row.created_at),
    email: row.email,
    is_verified: row.is_verified,
    last_seen_at: isoOrNull(row.last_seen_at),
    name: row.name,
    phone: row.phone,
    tank_count: row.tank_count,
    updated_at: isoFrom(row.updated_at),
    verified_at: isoOrNull(row.verified_at),
  };
}
