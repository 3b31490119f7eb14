-- For a tank's consumption: the falls between neighbouring readings of the last days, without refills, wrong readings and gaps.
-- Falls in a row add up to the first level minus the last, so only the pairs that do not count are looked for. Of each hour its extremes
-- and its ends are read; pairs are compared between hours, and within those whose extremes are a refill apart. None within an hour
-- is a gap, which is longer. Not in SQL: on a cluster it has to be planned with its values.
create or replace function falls_of_tank(tank bigint, reported_at timestamptz, silent_after_seconds integer)
returns table (used double precision, covered_ms double precision, since timestamptz) language plpgsql stable rows 1 as $$
declare
  first_hour timestamptz := reported_at - {{CONSUMPTION_DAYS}} * interval '24 hours';
begin
  return query
    with reading as not materialized (
      select created_at as at, fill_percentage as fill from telemetry
      where tank_key = tank and created_at >= first_hour and created_at <= reported_at
    ), hour as materialized (
      select start, first.at as first_at, first.fill as first_fill, last.at as last_at, last.fill as last_fill, extremes.distance
      from generate_series(first_hour, reported_at, interval '1 hour') start
      cross join lateral (
        select round((max(fill) - min(fill)) * 1e6) as distance from reading where at >= start and at < start + interval '1 hour') extremes
      cross join lateral (
        select at, fill from reading where at >= start and at < start + interval '1 hour' order by at limit 1) first
      cross join lateral (
        select at, fill from reading where at >= start and at < start + interval '1 hour' order by at desc limit 1) last
    ), pair as (
      select first_at as at, first_fill as fill,
             lag(last_at) over (order by start) as before_at, lag(last_fill) over (order by start) as before_fill
      from hour
      union all
      select within_hour.* from hour cross join lateral (
        select at, fill, lag(at) over (order by at), lag(fill) over (order by at) from reading
        where at >= start and at < start + interval '1 hour') within_hour
      where distance >= {{REFILL_RISE}}e6
    ), outside as (
      select coalesce(round(sum(before_fill - fill) filter (where not counts)::numeric, 9), 0) as not_used,
             coalesce(sum(at - before_at) filter (where not counts), interval '0') as not_covered,
             min(before_at) filter (where counts) as since
      from (select *, at - before_at <= silent_after_seconds * interval '1 second'
                      and round((fill - before_fill) * 1e6) < {{REFILL_RISE}}e6
                      and round((before_fill - fill) * 1e6) <= {{LARGEST_CREDIBLE_FALL}}e6 as counts
            from pair) compared
    )
    select (oldest.first_fill::numeric - newest.last_fill::numeric - not_used)::float8,
           round(date_part('epoch', newest.last_at - oldest.first_at - not_covered) * 1000)::float8,
           least(outside.since, (select min(first_at) from hour where first_at < last_at and distance < {{REFILL_RISE}}e6))::timestamptz
    from (select * from hour order by start limit 1) oldest, (select * from hour order by start desc limit 1) newest, outside;
end $$;
