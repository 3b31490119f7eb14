// A key as its own caller sees it: never its secret.
import { SCOPES, type Scope } from '../../auth/scope.js';
import { isoFromPostgres, isoOrNull } from '../../datetime/datetime.js';
import {
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  TEXT_OR_NULL,
} from '../../openapi/properties.js';

export class KeyResponse {
  @ApiObjectName('key')
  object: 'key';

  @ApiField('The public part of the key, before the dot.', 'tms_Zx81aQ2b')
  prefix: string;

  @ApiField('What the key is for.', 'route planner')
  name: string;

  @ApiField('What the key may do.', ['read', 'tanks:write'], { enum: SCOPES, isArray: true })
  scopes: Scope[];

  @ApiField(
    'The customer the key is bound to; null when it sees everything.',
    '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
    TEXT_OR_NULL,
  )
  customer_id: string | null;

  @ApiInstant('When the key was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstantOrNull('When the key ends; null when it does not.', '2027-01-31T00:00:00.000Z')
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
    expires_at: isoOrNull(row.expires_at),
  };
}
