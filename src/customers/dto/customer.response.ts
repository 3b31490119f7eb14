// A customer as the API shows it: an explicit list of fields, never the entity.
import { ApiProperty } from '@nestjs/swagger';
import { isoFromPostgres, nullableIsoFromPostgres } from '../../datetime/datetime.js';
import { listResponseOf } from '../../pagination/dto/list.response.js';

export class CustomerResponse {
  @ApiProperty({
    description: 'Unique identifier of the customer.',
    example: '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
  })
  id: string;

  @ApiProperty({ type: 'string', enum: ['customer'], description: 'Always `customer`.', example: 'customer' })
  object: 'customer';

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'When the customer was created.',
    example: '2026-01-31T08:15:30.123Z',
  })
  created_at: string;

  @ApiProperty({ description: "The customer's email address.", example: 'office@harbor-hotel.example.com' })
  email: string;

  @ApiProperty({ description: "Whether the customer's email has been verified.", example: true })
  is_verified: boolean;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: "The customer's last activity.",
    example: '2026-10-30T17:42:05.000Z',
  })
  last_seen_at: string | null;

  @ApiProperty({ description: 'Full name or business name.', example: 'Harbor Hotel' })
  name: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Phone number.', example: '+1 206 555 0142' })
  phone: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of tanks assigned to the customer.',
    example: 3,
  })
  tank_count: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'When the customer last changed any field.',
    example: '2026-09-02T11:00:00.000Z',
  })
  updated_at: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the customer verified their email.',
    example: '2026-02-01T09:30:00.000Z',
  })
  verified_at: string | null;
}

export class DeletedCustomerResponse {
  @ApiProperty({
    description: 'Unique identifier of the customer.',
    example: '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
  })
  id: string;

  @ApiProperty({ type: 'string', enum: ['customer'], description: 'Always `customer`.', example: 'customer' })
  object: 'customer';

  @ApiProperty({
    type: 'boolean',
    enum: [true],
    description: 'Always true: the customer was deleted.',
    example: true,
  })
  deleted: true;
}

export const CustomerListResponse = listResponseOf(CustomerResponse, 'CustomerListResponse');

/** The columns of a customer, as the statements read them; `tank_count` is computed for the rows of one page only. */
export type CustomerRow = Omit<CustomerResponse, 'object'> & { deleted: boolean };

export function toCustomerResponse(row: CustomerRow): CustomerResponse {
  return {
    id: row.id,
    object: 'customer',
    created_at: isoFromPostgres(row.created_at),
    email: row.email,
    is_verified: row.is_verified,
    last_seen_at: nullableIsoFromPostgres(row.last_seen_at),
    name: row.name,
    phone: row.phone,
    tank_count: row.tank_count,
    updated_at: isoFromPostgres(row.updated_at),
    verified_at: nullableIsoFromPostgres(row.verified_at),
  };
}
