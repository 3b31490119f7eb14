// A key as its own caller sees it: never its secret.
import { ApiProperty } from '@nestjs/swagger';
import { SCOPES, type Scope } from '../../auth/scope.js';
import { isoFromPostgres, nullableIsoFromPostgres } from '../../datetime/datetime.js';
import { ApiInstant, ApiNullable, ApiObjectName } from '../../openapi/properties.js';

export class KeyResponse {
  @ApiObjectName('key')
  object: 'key';

  @ApiProperty({ description: 'The public part of the key, before the dot.', example: 'tms_Zx81aQ2b' })
  prefix: string;

  @ApiProperty({ description: 'What the key is for.', example: 'route planner' })
  name: string;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    description: 'What the key may do.',
    example: ['read', 'tanks:write'],
  })
  scopes: Scope[];

  @ApiNullable(
    'string',
    'The customer the key is bound to; null when it sees everything.',
    '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
  )
  customer_id: string | null;

  @ApiInstant('When the key was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstant('When the key ends; null when it does not.', '2027-01-31T00:00:00.000Z', { nullable: true })
  expires_at: string | null;
}

export type KeyRow = Omit<KeyResponse, 'object'>;

export function toKeyResponse(row: KeyRow): KeyResponse {
  return {
    object: 'key',
    prefix: row.prefix,
    name: row.name,
    scopes: row.scopes,
    customer_id: row.customer_id,
    created_at: isoFromPostgres(row.created_at),
    expires_at: nullableIsoFromPostgres(row.expires_at),
  };
}
