-- Of each tank its readings at and after an instant of its own and before another, oldest first, at most so many; null for a tank
-- without any. Moments are milliseconds since 1970.
create or replace function readings_between(tank_keys bigint[], sinces timestamptz[], until timestamptz, most integer)
returns table (tank_key bigint, moments double precision[], fills double precision[])
language plpgsql stable set enable_seqscan = off set jit = off as $$
begin
  return query
    select wanted.tank_key, found.moments, found.fills
    from unnest(tank_keys, sinces) wanted (tank_key, since)
    cross join lateral (
      select array_agg(round(date_part('epoch', reading.created_at) * 1000) order by reading.created_at) as moments,
             array_agg(reading.fill_percentage order by reading.created_at) as fills
      from (select telemetry.created_at, telemetry.fill_percentage from telemetry
            where telemetry.tank_key = wanted.tank_key
              and telemetry.created_at >= wanted.since and telemetry.created_at < until
            order by telemetry.created_at limit most) reading
    ) found;
end $$;
