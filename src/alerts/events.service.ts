// Reads events: one statement a request, so that a page and its total are of one snapshot.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reads, type Statement } from '../platform/database/reads.js';
import { resolveOwner } from '../common/auth/caller.js';
import { byIds, pageFromRows, pageOfCounted, pageOfFew } from '../common/pagination/page.js';
import type { CountedRow, Listed, Page } from '../common/pagination/page.js';
import { noSuch } from '../common/problems/problem.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { EventResponse, type EventsQuery } from './dto/event.response.js';
import { toEventResponse, type EventRow } from './event-row.js';

const COLUMNS = 'event.id, event.type, event.created_at, event.tank_id, event.owner_id, event.data';

const FIND_ONE: Statement = {
  name: 'event_by_id',
  text: `select ${COLUMNS} from events event where id = $1 and ($2::text is null or owner_id = $2)`,
};

const COUNT_BY_TYPE: Statement = {
  name: 'events_by_type',
  text: 'select type, sum(n)::integer as n from event_counts group by type',
};

const EVENTS: Listed = { table: 'events', alias: 'event', columns: COLUMNS };

const FIND_ALL = byIds('events_by_ids', EVENTS, '($2::text is null or owner_id = $2)');

/** All events, or all of one type: counted by day. */
const LIST = pageOfCounted('events_page', EVENTS, 'events_locate(null, $1, $2, $3)', 'true');
const LIST_OF_TYPE = pageOfCounted(
  'events_page_of_type',
  EVENTS,
  'events_locate($5, $1, $2, $3)',
  'type = $5',
);

const IS_OF_TYPE = '($5::text is null or type = $5)';
const LIST_OF_TANK = pageOfFew(
  'events_page_of_tank',
  EVENTS,
  `tank_id = $6 and ($7::text is null or owner_id = $7) and ${IS_OF_TYPE}`,
);
/** An owner may have most of all events: without a type, its index alone counts them. */
const LIST_OF_OWNER = pageOfFew('events_page_of_owner', EVENTS, 'owner_id = $5');
const LIST_OF_OWNER_AND_TYPE = pageOfFew(
  'events_page_of_owner_and_type',
  EVENTS,
  `owner_id = $6 and ${IS_OF_TYPE}`,
);

@Injectable()
export class EventsService implements OnModuleInit {
  constructor(
    private readonly reads: Reads,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('tank_events', 'Stored events, by type.', async () => {
      const rows = await this.reads.rows<{ type: string; n: number }>(COUNT_BY_TYPE, []);
      return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
    });
  }

  async list(query: EventsQuery, boundTo: string | null): Promise<Page<EventResponse>> {
    const [statement, values] = findList(query, resolveOwner(query.owner_id, boundTo));
    const all = [...query.place, ...values];
    const rows = await this.reads.page<EventRow & CountedRow>(statement, all, query.isLarge);
    return pageFromRows(EventResponse, rows, toEventResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<EventResponse> {
    const row = await this.reads.firstRow<EventRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw noSuch('event');
    return toEventResponse(row);
  }

  /** Those that are there, by their ids. */
  async findAll(ids: readonly string[], boundTo: string | null): Promise<Map<string, EventResponse>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.rows<EventRow>(FIND_ALL, [JSON.stringify(ids), boundTo], true);
    return new Map(rows.map((row) => [row.id, toEventResponse(row)]));
  }
}

function findList(
  { type, tank_id: tankId }: EventsQuery,
  owner: string | null,
): [Statement, (string | null)[]] {
  if (tankId !== undefined) return [LIST_OF_TANK, [type ?? null, tankId, owner]];
  if (owner !== null)
    return type === undefined ? [LIST_OF_OWNER, [owner]] : [LIST_OF_OWNER_AND_TYPE, [type, owner]];
  return type === undefined ? [LIST, []] : [LIST_OF_TYPE, [type]];
}
