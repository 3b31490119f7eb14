// /v1/keys: lists, shows, creates, revokes and rolls keys.
import { Body, Controller, Delete, Get, Header, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { TaggedBy } from '../common/http/tagged-by.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { ApiAction, ApiCreation, ApiDeletion, LOCATION } from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { OPTIONAL_BODY, Writes } from '../common/writes/writes.decorator.js';
import { ApiKeyInput, KeyRollInput } from './dto/key.input.js';
import {
  ApiKeyListResponse,
  ApiKeyResponse,
  ApiKeyWithSecretResponse,
  taggedKey,
} from './dto/key.response.js';
import { keyEnded, KeysService, tooManyKeys } from './keys.service.js';

const TOO_MANY = '`too_many`: at most 100 keys of a customer work at a time, and 1,000 without one.';
const SCOPE = 'Needs a key with the scope `keys`.';
const KEY = {
  object: 'key',
  name: 'Key',
  idName: 'prefix',
  scope: 'keys',
  response: ApiKeyWithSecretResponse,
  deleted: ApiKeyResponse,
} as const;

@ApiTags('Keys')
@NeedsScope('keys')
@TaggedBy(taggedKey)
@Controller({ path: 'keys', version: '1' })
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @ApiOperation({
    operationId: 'listKeys',
    summary: 'List keys',
    description: `Newest first, never with a secret; those that ended up to 90 days ago, too. ${SCOPE}`,
  })
  @ApiList(ApiKeyListResponse, 'A page of keys.', undefined, 'keys')
  list(@Query() query: ListQuery, @BoundCustomerId() boundTo: string | null): Promise<Page<ApiKeyResponse>> {
    return this.keys.list(query, boundTo);
  }

  @Get(':prefix')
  @ApiOperation({ operationId: 'getKeyByPrefix', summary: 'Retrieve a key', description: SCOPE })
  @ApiId('key', 'tms_Zx81aQ2b', 'prefix')
  @ApiAnswer(ApiKeyResponse, 'The key. Its `ETag` leaves `last_used_at` out.', { scope: 'keys' })
  get(@Param('prefix') prefix: string, @BoundCustomerId() boundTo: string | null): Promise<ApiKeyResponse> {
    return this.keys.get(prefix, boundTo);
  }

  @Post()
  @Header('Cache-Control', 'no-store')
  @Writes('keys')
  @ApiCreation(KEY, {
    description:
      'The answer alone has the `secret`, which is the whole key: store it. Nobody gives what they have not: scopes, a customer or an end beyond your own are refused. The key outlives you.',
    body: { type: ApiKeyInput, example: { name: 'route planner', scopes: ['read'] } },
    conflicts: [TOO_MANY, tooManyKeys()],
  })
  create(
    @Body() body: ApiKeyInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<ApiKeyWithSecretResponse>> {
    return this.keys.create(body, writer);
  }

  @Delete(':prefix')
  @Writes('keys')
  @ApiDeletion(KEY, {
    summary: 'Revoke a key',
    description: 'It works nowhere after 3 seconds. Again is the same answer.',
    exampleId: 'tms_oldKey01',
  })
  revoke(
    @Param('prefix') prefix: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<ApiKeyResponse>> {
    return this.keys.revoke(prefix, writer);
  }

  @Post(':prefix/roll')
  @Header('Cache-Control', 'no-store')
  @Writes('keys', OPTIONAL_BODY)
  @ApiAction(
    KEY,
    {
      operationId: 'rollKey',
      summary: 'Replace a key',
      description:
        "Makes a new key with the old one's name, scopes, customer and end. The answer alone has its `secret`. The old key works on for `keep_seconds`.",
      body: { type: KeyRollInput, example: { keep_seconds: 86_400 }, isOptional: true },
      exampleId: 'tms_Zx81aQ2b',
      conflicts: [`\`key_ended\`: the key does not work any more. ${TOO_MANY}`, keyEnded()],
    },
    ['The new key, with its secret.', ApiKeyWithSecretResponse, 201, LOCATION],
  )
  roll(
    @Param('prefix') prefix: string,
    @Body() { keep_seconds = 86_400 }: KeyRollInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<ApiKeyWithSecretResponse>> {
    return this.keys.roll(prefix, keep_seconds, writer);
  }
}
