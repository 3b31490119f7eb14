// Reads events: one statement a request, so that a page and its total are of one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { pageFromRows, type CountedRow, type Page } from '../pagination/page.js';
import { notFound } from '../problems/problem.js';
import type { EventResponse } from './dto/event.response.js';
import type { EventsQuery } from './dto/events.query.js';
import { toEventResponse, type EventRow } from './event-row.js';

type EventOnPage = EventRow & CountedRow;

const COLUMNS = 'event.id, event.type, event.created_at, event.tank_id, event.owner_id, event.data';

const FIND_ONE: Statement = {
  name: 'event_by_id',
  text: `select ${COLUMNS} from events event where id = $1 and ($2::text is null or owner_id = $2)`,
};

/** All events, or all of one type: counted by day. */
const LIST: Statement = {
  name: 'events_page',
  text: `
    select page.total, ${COLUMNS}
    from events_locate(null, $1, $2, $3) page
    left join lateral (
      select * from events where created_at >= $1 and created_at < page.newest
      order by created_at desc, id desc offset page.passed limit $4
    ) event on true
    order by event.created_at desc, event.id desc`,
};

const LIST_OF_TYPE: Statement = {
  name: 'events_page_of_type',
  text: `
    select page.total, ${COLUMNS}
    from events_locate($5, $1, $2, $3) page
    left join lateral (
      select * from events where type = $5 and created_at >= $1 and created_at < page.newest
      order by created_at desc, id desc offset page.passed limit $4
    ) event on true
    order by event.created_at desc, event.id desc`,
};

/** One tank and one customer have few events: their own indexes find and count them. */
function listThrough(name: string, chosen: string): Statement {
  const condition = `${chosen} and ($5::text is null or type = $5) and created_at >= $1 and created_at < $2`;
  return {
    name,
    text: `
      select page.total, ${COLUMNS}
      from (select count(*) as total from events where ${condition}) page
      left join lateral (
        select * from events where ${condition} order by created_at desc, id desc offset $3 limit $4
      ) event on true
      order by event.created_at desc, event.id desc`,
  };
}

const LIST_OF_TANK = listThrough(
  'events_page_of_tank',
  'tank_id = $6 and ($7::text is null or owner_id = $7)',
);
const LIST_OF_BOUND_KEY = listThrough('events_page_of_bound_key', 'owner_id = $6');

@Injectable()
export class EventsService {
  constructor(private readonly reads: Reads) {}

  async list(query: EventsQuery, boundTo: string | null): Promise<Page<EventResponse>> {
    const rows = await this.readPage(query, boundTo);
    return pageFromRows(rows, (row) => row.id !== null, toEventResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<EventResponse> {
    const row = isStorable(id) ? await this.reads.firstRow<EventRow>(FIND_ONE, [id, boundTo]) : undefined;
    if (row === undefined) throw notFound('There is no event with this id.');
    return toEventResponse(row);
  }

  private readPage(query: EventsQuery, boundTo: string | null): Promise<EventOnPage[]> {
    const { since, until, skip, pageSize, isLarge, type = null, tank_id: tankId } = query;
    if (tankId !== undefined) {
      // No tank has an empty id, so it stands for one that no tank can have.
      const tank = isStorable(tankId) ? tankId : '';
      return this.reads.rows(LIST_OF_TANK, [since, until, skip, pageSize, type, tank, boundTo], isLarge);
    }
    if (boundTo !== null) {
      return this.reads.rows(LIST_OF_BOUND_KEY, [since, until, skip, pageSize, type, boundTo], isLarge);
    }
    if (type !== null) return this.reads.rows(LIST_OF_TYPE, [since, until, skip, pageSize, type], isLarge);
    return this.reads.rows(LIST, [since, until, skip, pageSize], isLarge);
  }
}
