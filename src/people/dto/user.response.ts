// A user as the API shows it.
import { PickType } from '@nestjs/swagger';
import { ROLES, type Role } from '../../common/auth/scope.js';
import { isoFrom, isoOrNull } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { shownAs, type Row } from '../../common/shown-as.js';
import type { User } from '../user.entity.js';

export class UserResponse {
  @ApiField('Unique identifier of the user.', '019b7a6e-5e40-7a02-b1c3-8d7e6f5a4b3c')
  id: string;

  @ApiObjectName('user')
  object: 'user';

  @ApiInstant('When the user signed in for the first time.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstant('When the user was last changed.', '2026-09-02T11:00:00.000Z')
  updated_at: string;

  @ApiField('As the identity provider said at the last sign-in.', 'ada@example.com')
  email: string;

  @ApiField('As the identity provider said at the last sign-in.', 'Ada Byron', TEXT_OR_NULL)
  name: string | null;

  @ApiField(
    'What the user may do, each role what the one before it may and more: `none` nothing, `viewer` read, `dispatcher` plan runs, `clerk` manage customers, tanks and recipients, `admin` everything.',
    'dispatcher',
    { enum: ROLES, enumName: 'Role' },
  )
  role: Role;

  @ApiField(
    'The customer the user is bound to; null for one who sees everything.',
    '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
    TEXT_OR_NULL,
  )
  customer_id: string | null;

  @ApiInstantOrNull('When the user was last here, within a minute.', '2026-11-18T08:59:00.000Z')
  last_seen_at: string | null;
}

export class DeletedUserResponse extends PickType(UserResponse, ['id', 'object'] as const) {
  @ApiDeleted('user')
  deleted: true;
}

export const UserListResponse = createListResponse(UserResponse, 'UserListResponse');

export type UserRow = Omit<Row<User>, 'issuer' | 'subject'>;

export function toUserResponse(row: UserRow): UserResponse {
  return shownAs(UserResponse, {
    ...row,
    object: 'user',
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    last_seen_at: isoOrNull(row.last_seen_at),
  });
}

/** What its `ETag` names: not when the user was last here. */
export function taggedUser(shown: object): object {
  return Object.assign({}, shown, { last_seen_at: undefined });
}
