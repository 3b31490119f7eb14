// POST /v1/keys, DELETE /v1/keys/:prefix and POST /v1/keys/:prefix/roll.
import { Body, Controller, Delete, Header, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import { ApiAction, ApiCreation, ApiDeletion } from '../common/writes/api-writes.decorator.js';
import type { WriteResult } from '../common/writes/managed-writes.js';
import { CurrentWriter, type Writer } from '../common/writes/writer.js';
import { ApiKeyInput, KeyRollInput } from './dto/key.input.js';
import { ApiKeyResponse, ApiKeyWithSecretResponse } from './dto/key.response.js';
import { keyEnded, Keys } from './keys.js';

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
@Controller({ path: 'keys', version: '1' })
export class KeyWritesController {
  constructor(private readonly keys: Keys) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @ApiCreation(KEY, {
    description:
      'The answer alone has the `secret`, which is the whole key: store it. Nobody gives what they have not: scopes, a customer or an end beyond your own are refused. The key outlives you.',
    body: { type: ApiKeyInput, example: { name: 'route planner', scopes: ['read'] } },
  })
  create(
    @Body() body: ApiKeyInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<ApiKeyWithSecretResponse>> {
    return this.keys.create(body, writer);
  }

  @Delete(':prefix')
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
  @ApiAction(
    KEY,
    {
      operationId: 'rollKey',
      summary: 'Replace a key',
      description:
        "Makes a new key with the old one's name, scopes, customer and end. The answer alone has its `secret`. The old key works on for `keep_seconds`.",
      body: { type: KeyRollInput, example: { keep_seconds: 86_400 }, isOptional: true },
      exampleId: 'tms_Zx81aQ2b',
      conflicts: ['`key_ended`: the key does not work any more.', keyEnded()],
    },
    ['The new key, with its secret.', ApiKeyWithSecretResponse, 201],
  )
  roll(
    @Param('prefix') prefix: string,
    @Body() { keep_seconds = 86_400 }: KeyRollInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<ApiKeyWithSecretResponse>> {
    return this.keys.roll(prefix, keep_seconds, writer);
  }
}
