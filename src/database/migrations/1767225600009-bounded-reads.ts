// Reads that name both ends of the time they look into, so that of a partitioned table only those months are opened. The bounds
// come from the counts by month, which costs two or three index entries; a table that is not partitioned does not pay for it.
import { stateOfReadings } from './1767225600004-tank-states.js';
import { telemetrySeries } from './1767225600006-series.js';

// A constant, folded into whatever asks for it. `partition on` and `partition off` replace the function. Who may read pages may
// ask it, also before the roles are granted anew.
export const isPartitioned = (answer: boolean): string => `
  create or replace function telemetry_is_partitioned() returns boolean language sql immutable parallel safe as $$
    select ${answer}
  $$`;

// What telemetry_page() does when it knows its tank: parameters and columns as there, and the variable "tank".
export const PAGE_OF_TANK = {
  variables: `
    page record;
    rows_of_day bigint;
    first_row timestamptz;
    counted record;
    held bigint;       -- by whole months that the page may reach into`,

  // More than 500 rows are passed over only within a day that telemetry_locate() has walked to: "newest" is its end, and the
  // page's first row is one of its rows. An instant is one reading of a tank, so the row is known by it.
  statements: `
    page := telemetry_locate(tank, since, until, skip);
    if page.passed > 500 then
      select n into rows_of_day from telemetry_counts
      where tank_key = tank and level = 2 and start = (page.newest at time zone 'UTC')::date - 1;
      if page.passed <= rows_of_day / 2 then
        select reading.created_at into first_row from telemetry reading
        where reading.tank_key = tank and reading.created_at >= page.newest - interval '24 hours'
          and reading.created_at < page.newest
        order by reading.created_at desc offset page.passed limit 1;
      else
        select reading.created_at into first_row from telemetry reading
        where reading.tank_key = tank and reading.created_at >= page.newest - interval '24 hours'
          and reading.created_at < page.newest
        order by reading.created_at offset rows_of_day - page.passed - 1 limit 1;
      end if;
      page.newest := first_row + interval '1 millisecond';
      page.passed := 0;
    end if;

    if telemetry_is_partitioned() then
      -- From the month in which the page begins back to the one by which it must be full.
      for counted in
        select start::timestamp at time zone 'UTC' as month, (start + interval '1 month') at time zone 'UTC' as month_end, n
        from telemetry_counts
        where tank_key = tank and level = 1 and start < page.newest at time zone 'UTC'
        order by start desc
      loop
        if held is null then
          held := 0;
          page.newest := least(page.newest, counted.month_end);
        end if;
        if counted.month_end <= page.newest then held := held + counted.n; end if;
        exit when held >= page.passed + size or counted.month <= since;
      end loop;
      since := greatest(since, counted.month);
    end if;

    return query
      select page.total, reading.created_at, reading.fill_percentage
      from telemetry reading
      where reading.tank_key = tank and reading.created_at >= since and reading.created_at < page.newest
      order by reading.created_at desc offset page.passed limit size;
    if not found then
      return query select page.total, null::timestamptz, null::double precision;
    end if;`,
};

// No row: there is no such tank for this caller. One row without created_at: the page is empty.
const TELEMETRY_PAGE = `
  create or replace function telemetry_page(
    tank_id text, visible_owner_id text, since timestamptz, until timestamptz, skip bigint, size integer
  ) returns table (total bigint, created_at timestamptz, fill_percentage double precision)
  language plpgsql stable rows 10 as $$
  declare
    tank bigint;${PAGE_OF_TANK.variables}
  begin
    select key into tank from tanks
    where id = tank_id and (visible_owner_id is null or owner_id = visible_owner_id);
    if tank is null then return; end if;
${PAGE_OF_TANK.statements}
  end $$`;

// The readings next to the range are in its own months or in the next ones that have any.
const TELEMETRY_SERIES = telemetrySeries(`
    if telemetry_is_partitioned() then
      oldest := date_trunc('month', since at time zone 'UTC') at time zone 'UTC';
      oldest := coalesce((select max(start)::timestamp at time zone 'UTC' from telemetry_counts
                          where tank_key = tank and level = 1 and start < oldest at time zone 'UTC'), oldest);
      newest := date_trunc('month', until at time zone 'UTC') at time zone 'UTC';
      newest := coalesce((select min(start)::timestamp at time zone 'UTC' from telemetry_counts
                          where tank_key = tank and level = 1 and start > newest at time zone 'UTC'), newest);
      newest := (newest at time zone 'UTC' + interval '1 month') at time zone 'UTC';
    end if;`);

// Not before the newest month that has ten of them.
const STATE_OF_READINGS = stateOfReadings(`
              case when telemetry_is_partitioned() then coalesce((
                select counted.start::timestamp at time zone 'UTC' from telemetry_counts counted
                where counted.tank_key = tank and counted.level = 1 and counted.n >= 10
                order by counted.start desc limit 1), '-infinity') else '-infinity' end`);

export const BOUNDED_READS = [
  isPartitioned(false),
  'grant execute on function telemetry_is_partitioned to public',
  TELEMETRY_PAGE,
  TELEMETRY_SERIES,
  STATE_OF_READINGS,
];
