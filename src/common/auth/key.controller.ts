// GET /v1/key: what the caller's own key is and may do.
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, type Caller } from './caller.js';
import { ANY_KEY, NeedsScope } from './needs-scope.decorator.js';
import { KEY_PROBLEMS } from './caller-check.js';
import { FRESH_READS, type Reads, type Statement } from '../../platform/database/reads.js';
import { ApiAnswer } from '../openapi/responses.decorator.js';
import { NoParameters } from '../validation/no-parameters.js';
import { KeyResponse, toKeyResponse, type KeyRow } from './dto/key.response.js';

const FIND_KEY: Statement = {
  name: 'key_of_caller',
  text: 'select prefix, name, scopes, customer_id, created_at, expires_at from api_keys where prefix = $1',
};

@ApiTags('Key')
@NeedsScope(ANY_KEY)
@Controller({ path: 'key', version: '1' })
export class KeyController {
  constructor(@Inject(FRESH_READS) private readonly reads: Reads) {}

  @Get()
  @ApiOperation({
    operationId: 'getKey',
    summary: 'Retrieve your key',
    description: 'What the key of this request is and may do; never its secret. Any valid key may ask.',
  })
  @ApiAnswer(KeyResponse, 'The key.', { scope: null })
  async get(@Query() _none: NoParameters, @CurrentCaller() { keyPrefix }: Caller): Promise<KeyResponse> {
    const row = await this.reads.firstRow<KeyRow>(FIND_KEY, [keyPrefix]);
    if (row === undefined) throw KEY_PROBLEMS.invalid; // removed a moment ago
    return toKeyResponse(row);
  }
}
