// /v1/users: lists, shows, changes and deletes users.
import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { TaggedBy } from '../common/http/tagged-by.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { ApiDeletion, ApiMerge } from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { Writes } from '../common/writes/writes.decorator.js';
import { UserPatch } from './dto/user.input.js';
import { DeletedUserResponse, UserListResponse, UserResponse, taggedUser } from './dto/user.response.js';
import { lastAdmin, UsersService } from './users.service.js';

const SCOPE = 'Needs a key with the scope `users`.';
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
@TaggedBy(taggedUser)
@Controller({ path: 'users', version: '1' })
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @ApiOperation({
    operationId: 'listUsers',
    summary: 'List users',
    description: `Everybody who has signed in with the identity provider, newest first. ${SCOPE}`,
  })
  @ApiList(UserListResponse, 'A page of users.', undefined, 'users')
  list(@Query() query: ListQuery, @BoundCustomerId() boundTo: string | null): Promise<Page<UserResponse>> {
    return this.users.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getUser', summary: 'Retrieve a user', description: SCOPE })
  @ApiId('user', '019b7a6e-5e40-7a02-b1c3-8d7e6f5a4b3c')
  @ApiAnswer(UserResponse, 'The user. Its `ETag` leaves `last_seen_at` out.', { scope: 'users' })
  get(@Param('id') id: string, @BoundCustomerId() boundTo: string | null): Promise<UserResponse> {
    return this.users.get(id, boundTo);
  }

  @Patch(':id')
  @Writes('users')
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
  @Writes('users')
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
