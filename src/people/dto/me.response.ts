// Who is asking, as the service knows it.
import type { Caller } from '../../common/auth/caller.js';
import { SCOPES, type Scope } from '../../common/auth/scope.js';
import { ApiField, ApiObjectName, TEXT_OR_NULL } from '../../common/openapi/properties.js';

export class MeResponse {
  @ApiObjectName('me')
  object: 'me';

  @ApiField('An API key, or a user who has signed in.', 'user', { type: 'string', enum: ['key', 'user'] })
  kind: 'key' | 'user';

  @ApiField(
    'What the key is for, or what the user is called: without a name, the email address.',
    'Ada Byron',
  )
  name: string;

  @ApiField('Of a user.', 'ada@example.com', TEXT_OR_NULL)
  email: string | null;

  @ApiField('What the caller may do; none for a user without a role.', ['read', 'runs:write'], {
    enum: SCOPES,
    isArray: true,
  })
  scopes: Scope[];

  @ApiField(
    'The customer the caller is bound to; null when it sees everything.',
    '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
    TEXT_OR_NULL,
  )
  customer_id: string | null;
}

export function toMeResponse({ kind, name, email, scopes, customerId }: Caller): MeResponse {
  return { object: 'me', kind, name, email, scopes: [...scopes], customer_id: customerId };
}
