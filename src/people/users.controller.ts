// GET /v1/users and /v1/users/:id.
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BoundTo } from '../common/auth/caller.js';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { etagOf } from '../common/http/etag.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { taggedUser, UserListResponse, UserResponse } from './dto/user.response.js';
import { UserReads } from './user-reads.js';

const SCOPE = 'Needs a key with the scope `users`.';

@ApiTags('Users')
@NeedsScope('users')
@Controller({ path: 'users', version: '1' })
export class UsersController {
  constructor(private readonly users: UserReads) {}

  @Get()
  @ApiOperation({
    operationId: 'listUsers',
    summary: 'List users',
    description: `Everybody who has signed in with the identity provider, newest first. ${SCOPE}`,
  })
  @ApiList(UserListResponse, 'A page of users.', undefined, 'users')
  list(@Query() query: ListQuery, @BoundTo() boundTo: string | null): Promise<Page<UserResponse>> {
    return this.users.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getUser', summary: 'Retrieve a user', description: SCOPE })
  @ApiId('user', '019b7a6e-5e40-7a02-b1c3-8d7e6f5a4b3c')
  @ApiAnswer(UserResponse, 'The user. Its `ETag` leaves `last_seen_at` out.', { scope: 'users' })
  async get(
    @Param('id') id: string,
    @BoundTo() boundTo: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserResponse> {
    const user = await this.users.get(id, boundTo);
    response.setHeader('ETag', etagOf(JSON.stringify(taggedUser(user))));
    return user;
  }
}
