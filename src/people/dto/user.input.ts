// What may be changed of a user. Of its other fields, which the service makes, a patch may hold what was read.
import { OmitType } from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { ROLES, type Role } from '../../common/auth/scope.js';
import { ApiField, TEXT_OR_NULL } from '../../common/openapi/properties.js';
import { IsAmong, IsExactly, IsText, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { IsCreationTime, OwnFields } from '../../common/validation/own-fields.js';
import { ID } from '../../common/validation/values.js';
import { UserResponse } from './user.response.js';

export class UserPatch extends OmitType(OwnFields, ['deleted'] as const) {
  static readonly fields: readonly string[] = Object.keys(new UserResponse());

  @MayBeLeftOut()
  @IsExactly('user')
  object?: 'user';

  @IsCreationTime()
  created_at?: Date;

  @Allow()
  email?: unknown;

  @Allow()
  name?: unknown;

  @ApiField('What the user may do.', 'dispatcher', { enum: ROLES, enumName: 'Role', required: false })
  @MayBeLeftOut()
  @IsAmong(ROLES)
  role?: Role;

  @ApiField('Binds the user to this customer; null for one who sees everything. Not of an `admin`.', null, {
    ...TEXT_OR_NULL,
    required: false,
  })
  @IsOptional()
  @IsText(ID)
  customer_id?: string | null;

  @Allow()
  last_seen_at?: unknown;
}
