-- A page of a tank's readings and their total, from one snapshot. On a cluster it runs on the node of the tank.
-- More than 500 rows are passed over only within a day that telemetry_locate() has found: "newest" is its end, and the page's first row
-- is in it. One row without created_at: the page is empty.
create or replace function telemetry_page_of(
  tank bigint, since timestamptz, until timestamptz, skip bigint, size integer
) returns table (total bigint, created_at timestamptz, fill_percentage double precision)
language plpgsql stable rows 10 as $$
declare
  page record;
  rows_of_day bigint;
  first_row timestamptz;
  counted record;
  held bigint;       -- by whole months that the page may reach into
begin
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
  end if;
end $$;
