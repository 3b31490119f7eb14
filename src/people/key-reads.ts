// Reads API keys, one statement a request, so that a page and its total are of one snapshot. From the primary: what ended has ended.
import { Inject, Injectable } from '@nestjs/common';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch } from '../common/problems/problem.js';
import { FRESH_READS, isStorable, type Reads, type Statement } from '../platform/database/reads.js';
import { ApiKeyResponse, toApiKeyResponse, type ApiKeyRow } from './dto/key.response.js';
import { IS_LISTED } from './keys.js';

const COLUMNS =
  'key.prefix, key.name, key.scopes, key.customer_id, key.created_at, key.expires_at, key.revoked_at, key.last_used_at';

const FIND_ONE: Statement = {
  name: 'key_by_prefix',
  text: `select ${COLUMNS} from api_keys key where prefix = $1 and ($2::text is null or customer_id = $2) and ${IS_LISTED}`,
};

/** Its prefix is a key's id. */
const LIST = pageOfFew(
  'keys_page',
  { table: '(select *, prefix as id from api_keys) listed', alias: 'key', columns: COLUMNS },
  `($5::text is null or customer_id = $5) and ${IS_LISTED}`,
);

@Injectable()
export class KeyReads {
  constructor(@Inject(FRESH_READS) private readonly reads: Reads) {}

  async list(query: ListQuery, boundTo: string | null): Promise<Page<ApiKeyResponse>> {
    const { since, until, skip, size, isLarge } = query;
    const values = [since, until, skip, size, boundTo];
    const rows = await this.reads.page<ApiKeyRow & CountedRow>(LIST, values, isLarge);
    return pageFromRows(ApiKeyResponse, rows, (row) => row.prefix !== null, toApiKeyResponse, query);
  }

  async get(prefix: string, boundTo: string | null): Promise<ApiKeyResponse> {
    const row = isStorable(prefix)
      ? await this.reads.firstRow<ApiKeyRow>(FIND_ONE, [prefix, boundTo])
      : undefined;
    if (row === undefined) throw noSuch('key');
    return toApiKeyResponse(row);
  }
}
