// PATCH and DELETE of /v1/users/:id.
import { Body, Controller, Delete, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { ApiDeletion, ApiMerge } from '../common/writes/api-writes.decorator.js';
import type { WriteResult } from '../common/writes/managed-writes.js';
import { CurrentWriter, type Writer } from '../common/writes/writer.js';
import { UserPatch } from './dto/user.input.js';
import { DeletedUserResponse, UserResponse } from './dto/user.response.js';
import { lastAdmin, Users } from './users.js';

const USER = {
  object: 'user',
  name: 'User',
  scope: 'users',
  response: UserResponse,
  deleted: DeletedUserResponse,
} as const;
const LAST_ADMIN = ['`last_admin`: there would be no admin left.', lastAdmin()] as const;

@ApiTags('Users')
@NeedsScope('users')
@Controller({ path: 'users', version: '1' })
export class UserWritesController {
  constructor(private readonly users: Users) {}

  @Patch(':id')
  @ApiMerge(USER, {
    description:
      'Gives a user a role, and binds it to a customer or not. It acts within 3 seconds, also in sessions that go on. Nobody gives a role with scopes that they have not.',
    body: { type: UserPatch, example: { role: 'dispatcher' } },
    conflicts: LAST_ADMIN,
  })
  patch(
    @Param('id') id: string,
    @Body() body: UserPatch,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<UserResponse>> {
    return this.users.patch(id, body, writer);
  }

  @Delete(':id')
  @ApiDeletion(USER, {
    exampleId: 'old-user',
    description: 'Ends its sessions. Who signs in again is a new user, without a role.',
    conflicts: LAST_ADMIN,
  })
  remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedUserResponse>> {
    return this.users.remove(id, writer);
  }
}
