// GET /v1/keys and /v1/keys/:prefix.
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BoundTo } from '../common/auth/caller.js';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { etagOf } from '../common/http/etag.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { ApiKeyListResponse, ApiKeyResponse, taggedKey } from './dto/key.response.js';
import { KeyReads } from './key-reads.js';

const SCOPE = 'Needs a key with the scope `keys`.';

@ApiTags('Keys')
@NeedsScope('keys')
@Controller({ path: 'keys', version: '1' })
export class KeysController {
  constructor(private readonly keys: KeyReads) {}

  @Get()
  @ApiOperation({
    operationId: 'listKeys',
    summary: 'List keys',
    description: `Newest first, never with a secret; those that ended up to 90 days ago, too. ${SCOPE}`,
  })
  @ApiList(ApiKeyListResponse, 'A page of keys.', undefined, 'keys')
  list(@Query() query: ListQuery, @BoundTo() boundTo: string | null): Promise<Page<ApiKeyResponse>> {
    return this.keys.list(query, boundTo);
  }

  @Get(':prefix')
  @ApiOperation({ operationId: 'getKeyByPrefix', summary: 'Retrieve a key', description: SCOPE })
  @ApiId('key', 'tms_Zx81aQ2b', 'prefix')
  @ApiAnswer(ApiKeyResponse, 'The key. Its `ETag` leaves `last_used_at` out.', { scope: 'keys' })
  async get(
    @Param('prefix') prefix: string,
    @BoundTo() boundTo: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApiKeyResponse> {
    const key = await this.keys.get(prefix, boundTo);
    response.setHeader('ETag', etagOf(JSON.stringify(taggedKey(key))));
    return key;
  }
}
