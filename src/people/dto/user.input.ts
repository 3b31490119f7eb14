// What may be changed of a user. Of its other fields, which the service makes, a patch may hold what was read.
import { IntersectionType, OmitType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ROLES, type Role } from '../../common/auth/scope.js';
import { ApiField, TEXT_OR_NULL } from '../../common/openapi/properties.js';
import { IsAmong, IsExactly, IsText, MayBeLeftOut } from '../../common/validation/field-rules.js';
import { IsCreationTime, MayRepeat, ReadOnlyFields } from '../../common/validation/read-only-fields.js';
import { ID } from '../../common/validation/values.js';
import { UserResponse } from './user.response.js';

export class UserPatch extends IntersectionType(
  OmitType(ReadOnlyFields, ['deleted'] as const),
  MayRepeat('email', 'name', 'last_seen_at'),
) {
  static readonly fields: readonly string[] = Object.keys(new UserResponse());

  @MayBeLeftOut()
  @IsExactly('user')
  object?: 'user';

  @IsCreationTime()
  created_at?: Date;

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
}
