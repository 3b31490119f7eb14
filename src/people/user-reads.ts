// Reads users, one statement a request, from the primary: a role that was taken away is gone.
import { Inject, Injectable } from '@nestjs/common';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch } from '../common/problems/problem.js';
import { FRESH_READS, isStorable, type Reads, type Statement } from '../platform/database/reads.js';
import { toUserResponse, UserResponse, type UserRow } from './dto/user.response.js';

const COLUMNS = `person.id, person.created_at, person.updated_at, person.email, person.name, person.role, person.customer_id,
  person.last_seen_at`;

const FIND_ONE: Statement = {
  name: 'user_by_id',
  text: `select ${COLUMNS} from users person where id = $1 and ($2::text is null or customer_id = $2)`,
};

const LIST = pageOfFew(
  'users_page',
  { table: 'users', alias: 'person', columns: COLUMNS },
  '($5::text is null or customer_id = $5)',
);

@Injectable()
export class UserReads {
  constructor(@Inject(FRESH_READS) private readonly reads: Reads) {}

  async list(query: ListQuery, boundTo: string | null): Promise<Page<UserResponse>> {
    const { since, until, skip, size, isLarge } = query;
    const values = [since, until, skip, size, boundTo];
    const rows = await this.reads.page<UserRow & CountedRow>(LIST, values, isLarge);
    return pageFromRows(UserResponse, rows, (row) => row.id !== null, toUserResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<UserResponse> {
    const row = isStorable(id) ? await this.reads.firstRow<UserRow>(FIND_ONE, [id, boundTo]) : undefined;
    if (row === undefined) throw noSuch('user');
    return toUserResponse(row);
  }
}
