// GET /v1/key and GET /v1/me: what the caller's own key is and may do; who the caller is, key or user.
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ANY_KEY, CurrentCaller, NeedsScope, type Caller } from '../common/auth/caller.js';
import { ApiAnswer } from '../common/openapi/responses.decorator.js';
import { notFound } from '../common/problems/problem.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { KeyResponse } from './dto/key.response.js';
import { MeResponse, toMeResponse } from './dto/me.response.js';
import { KeysService } from './keys.service.js';

const NO_KEY = notFound('You are signed in as a user, not with a key: /v1/me says who you are.');

@ApiTags('Key')
@NeedsScope(ANY_KEY)
@Controller({ version: '1' })
export class OwnKeyController {
  constructor(private readonly keys: KeysService) {}

  @Get('key')
  @ApiOperation({
    operationId: 'getKey',
    summary: 'Retrieve your key',
    description:
      'What the key of this request is and may do; never its secret. Any valid key may ask; a user has none.',
  })
  @ApiAnswer(KeyResponse, 'The key.', { scope: null })
  async get(@Query() _none: NoParameters, @CurrentCaller() { kind, id }: Caller): Promise<KeyResponse> {
    if (kind === 'user') throw NO_KEY;
    const { revoked_at: _, last_used_at: __, ...key } = await this.keys.get(id, null);
    return key;
  }

  @Get('me')
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Retrieve who you are',
    description: 'A key, or a user who has signed in, and what it may do. Any caller may ask.',
  })
  @ApiAnswer(MeResponse, 'The caller.', { scope: null })
  me(@Query() _none: NoParameters, @CurrentCaller() caller: Caller): MeResponse {
    return toMeResponse(caller);
  }
}
