// Reads who changed what: one statement a request, so that a page and its total are of one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../platform/database/reads.js';
import { pageFromRows, pageOfCounted, pageOfFew } from '../common/pagination/page.js';
import type { CountedRow, Listed, Page } from '../common/pagination/page.js';
import { ActivityResponse, toActivityResponse } from './dto/activity.response.js';
import type { ActivityQuery, ActivityRow } from './dto/activity.response.js';

const ACTIVITY: Listed = { table: 'activity', alias: 'entry', columns: 'entry.*' };

/** All entries, those of a type ($5), of an actor ($6), or both: counted by day. */
const counted = (name: string, condition: string) =>
  pageOfCounted(name, ACTIVITY, 'activity_locate($5, $6, $1, $2, $3)', condition);
const LIST = counted('activity_page', 'true');
const LIST_OF_TYPE = counted('activity_page_of_type', 'type = $5');
const LIST_OF_ACTOR = counted('activity_page_of_actor', 'actor = $6');
const LIST_OF_BOTH = counted('activity_page_of_type_and_actor', 'type = $5 and actor = $6');

/** Of an object ($9), of the customer that a key is bound to ($8), or of an operation ($7). */
const few = (name: string, condition: string) =>
  pageOfFew(
    name,
    ACTIVITY,
    `${condition} and ($5::text is null or type = $5) and ($6::text is null or actor = $6)
     and ($7::text is null or operation = $7) and ($8::text is null or owner_id = $8)`,
  );
const LIST_OF_OBJECT = few('activity_page_of_object', 'object_id = $9');
const LIST_OF_BOUND_KEY = few('activity_page_of_bound_key', 'owner_id = $8');
const LIST_OF_OPERATION = few('activity_page_of_operation', 'operation = $7');

@Injectable()
export class ActivityService {
  constructor(private readonly reads: Reads) {}

  async list(query: ActivityQuery, boundTo: string | null): Promise<Page<ActivityResponse>> {
    const [statement, values] = findList(query, boundTo);
    const all = [...query.place, ...values];
    const rows = await this.reads.page<ActivityRow & CountedRow>(statement, all, query.isLarge);
    const toResponse = (row: ActivityRow) => toActivityResponse(row, boundTo);
    return pageFromRows(ActivityResponse, rows, toResponse, query);
  }
}

function findList(
  { type, actor, operation, object_id: objectId }: ActivityQuery,
  boundTo: string | null,
): [Statement, (string | null)[]] {
  const values = [type ?? null, actor ?? null];
  const narrowed = [...values, operation ?? null, boundTo];
  if (objectId !== undefined) return [LIST_OF_OBJECT, [...narrowed, objectId]];
  if (boundTo !== null) return [LIST_OF_BOUND_KEY, narrowed];
  if (operation !== undefined) return [LIST_OF_OPERATION, narrowed];
  const [ofType, all] = actor === undefined ? [LIST_OF_TYPE, LIST] : [LIST_OF_BOTH, LIST_OF_ACTOR];
  return [type === undefined ? all : ofType, values];
}
