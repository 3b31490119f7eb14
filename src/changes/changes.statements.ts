// The SQL behind the feed.
import type { Statement } from '../platform/database/reads.js';
import { KIND } from './change-types.js';

/** So many changes are looked at for a page, so that few of many cost no more than others: it may be empty though the feed goes on. */
const MAX_LOOKED_AT = 10_000;

/** `$3`: the newest position that may be given out, where standbys may lack some. */
const HEAD =
  'select position, placed_at from change_feed where $3::bigint is null or position <= $3 order by position desc limit 1';

const milliseconds = (row: string): string => `(date_part('epoch', ${row}.placed_at) * 1000)::bigint`;

/** Of a page; and of one change, more of which are not shown. */
export const MAX_READINGS = 10_000;
export const MAX_READINGS_OF_CHANGE = 1_000;
/** The readings come as JSON: the one thread would be kept from everybody else while it collects ten thousand rows. */
const WRITTEN_READING = `
  '{"created_at":"' || to_char(reading.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  || '","fill_percentage":' || reading.fill_percentage || '}'`;
/** So the first change is always whole, and whatever a page may hold. */
export const MAX_READING_ROWS = MAX_READINGS + MAX_READINGS_OF_CHANGE + 1;

/**
 * The next changes after a cursor ($1, $2; null: from the first that is kept), of some kinds ($4), that a key bound to a customer ($5)
 * sees, at most $6; those of readings with their tanks' ids, how many readings there are, and these as JSON. The last row has no kind: it is
 * where to go on after a page that is not full. Without it, the cursor's own row is gone, or was lost and replaced by another
 * one. A standby that does not have it yet returns an empty page.
 *
 * Positions have no gaps. Where readings are not asked for, an index passes over them.
 */
function pageStatement(name: string, others: string, upto: string): Statement {
  return {
    name,
    text: `
      with head as materialized (${HEAD}),
      beginning as materialized (select coalesce(max(position), 0) as position from change_feed where kind = '${KIND.restart}'),
      start as materialized (
        select coalesce($1::bigint, greatest(beginning.position, (select min(position) - 1 from change_feed))) as position,
               $1 is null or $1 >= beginning.position and exists (
                 select from change_feed own where position = $1 and ${milliseconds('own')} = $2::bigint) as is_known,
               pg_is_in_recovery() and $1 > (select max(position) from change_feed) as is_ahead
        from beginning
      ), looked_at as materialized (
        select case when start.is_known then ${upto} else 0 end as upto from start, head
      ), page as materialized (
        select feed.*
        from change_feed feed
        left join lateral (
          select owner_id from tanks where $5::text is not null and tanks.key = feed.tank_key offset 0
        ) tank on true
        where feed.position > (select position from start) and feed.position <= (select upto from looked_at) ${others}
          and feed.kind = any ($4::text[])
          and case when feed.kind <> '${KIND.readings}' then $5 is null and feed.kind <> '${KIND.tankLeft}' or feed.owner_id = $5
                   when $5 is null then feed.owner_id is null
                   else tank.owner_id = $5 and coalesce(feed.owner_id, $5) = $5 end
        order by feed.position limit $6
      ), changed as materialized (
        select array_agg(position) as places, array_agg(tank_key) as tank_keys,
               array_agg(since::timestamptz) as sinces, array_agg(until::timestamptz) as untils
        from (select * from page where kind = '${KIND.readings}' order by position) telemetry
      )
      (select page.position, ${milliseconds('page')} as placed_ms, page.kind, coalesce(page.id, reading.tank_id) as id,
              page.since, page.until, coalesce(reading.rows, 0) as rows, reading.readings, null::bigint as newest
       from page
       left join (
         select reading.place, reading.tank_id, count(*)::integer as rows,
                string_agg(${WRITTEN_READING}, ',' order by reading.created_at) as readings
         from changed cross join lateral changed_readings(places, tank_keys, sinces, untils, $5, ${MAX_READING_ROWS}) reading
         group by reading.place, reading.tank_id
       ) reading on reading.place = page.position
       order by page.position)
      union all
      select last.position, ${milliseconds('last')}, null, null, null, null, null, null, head.position
      from start, looked_at, head join change_feed last on true
      where start.is_known and start.position <= head.position and last.position = looked_at.upto
      union all
      select start.position, $2, null, null, null, null, null, null, start.position
      from start, head where start.is_ahead or start.is_known and start.position > head.position`,
  };
}

export const PAGE = pageStatement(
  'changes_page',
  '',
  `least(head.position, start.position + ${MAX_LOOKED_AT})`,
);

export const PAGE_WITHOUT_READINGS = pageStatement(
  'changes_page_without_readings',
  `and feed.kind <> '${KIND.readings}'`,
  `coalesce((
     select position from change_feed
     where kind <> '${KIND.readings}' and position > start.position and position <= head.position
     order by position offset ${MAX_LOOKED_AT - 1} limit 1), head.position)`,
);

/** The last row is that of the end of the feed, as in a page. */
export const END_OF_FEED: Statement = {
  name: 'changes_latest',
  text: `select head.position, ${milliseconds('head')} as placed_ms from (${HEAD.replaceAll('$3', '$1')}) head`,
};
