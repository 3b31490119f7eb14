-- For a tank's consumption: the falls between neighbouring readings of the last 336 hours, without refills and wrong readings.
create or replace function falls_of_tank(tank bigint, reported_at timestamptz, silent_after_seconds integer)
returns table (used double precision, covered_ms double precision, since timestamptz) language sql stable rows 1 as $$
  select sum(before_fill::numeric - fill::numeric)::float8,
         round(date_part('epoch', sum(at - before_at)) * 1000)::float8,
         min(before_at)
  from (
    select at, fill, lag(at) over earlier as before_at, lag(fill) over earlier as before_fill
    from readings_of(array[tank], array[reported_at - interval '336 hours'], 0) found,
         unnest(found.moments, found.fills) reading (at, fill)
    where at <= reported_at
    window earlier as (order by at)
  ) pair
  where at - before_at <= silent_after_seconds * interval '1 second'
    and round((fill - before_fill) * 1e6) < 5e6
    and round((before_fill - fill) * 1e6) <= 20e6
$$;
