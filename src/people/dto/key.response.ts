// A key as its own caller sees it, and as those see it who manage keys: never its secret, but in the two answers that make one.
import { SCOPES, type Scope } from '../../common/auth/scope.js';
import { isoFrom, isoOrNull } from '../../common/datetime/datetime.js';
import {
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { shownAs, type Row } from '../../common/shown-as.js';
import type { ApiKey } from '../api-key.entity.js';

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

export class ApiKeyResponse extends KeyResponse {
  @ApiInstantOrNull('When the key was revoked; null when it was not.', '2026-11-18T09:00:00.000Z')
  revoked_at: string | null;

  @ApiInstantOrNull(
    'When the key was last used, within a minute; null when it never was.',
    '2026-11-18T08:59:00.000Z',
  )
  last_used_at: string | null;
}

export class ApiKeyWithSecretResponse extends ApiKeyResponse {
  @ApiField(
    'The whole key, as `X-API-Key` takes it. It is shown in this answer only.',
    'tms_Zx81aQ2b.kT3vQ9mZ2xW7cR5nB8yL1pD4…',
  )
  secret: string;
}

export const ApiKeyListResponse = createListResponse(ApiKeyResponse, 'ApiKeyListResponse');

export type ApiKeyRow = Omit<Row<ApiKey>, 'hash'>;

export function toApiKeyResponse(row: ApiKeyRow): ApiKeyResponse {
  return shownAs(ApiKeyResponse, {
    ...row,
    object: 'key',
    created_at: isoFrom(row.created_at),
    expires_at: isoOrNull(row.expires_at),
    revoked_at: isoOrNull(row.revoked_at),
    last_used_at: isoOrNull(row.last_used_at),
  });
}

/** What its `ETag` names: not when it was last used, and not the secret, which only one answer has. */
export function taggedKey(shown: object): object {
  return Object.assign({}, shown, { last_used_at: undefined, secret: undefined });
}
