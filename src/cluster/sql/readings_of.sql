-- Of each tank its readings at and after an instant, and some before it, newest first; null for a tank without any. One question to all
-- nodes for 10,000 tanks: the count of all readings of a tank leads each node to its tanks.
create or replace function readings_of(tank_keys bigint[], sinces timestamptz[], before integer)
returns table (tank_key bigint, moments timestamptz[], fills double precision[])
language plpgsql stable set plan_cache_mode = auto as $$
declare
  keys bigint[]; froms timestamptz[];
begin
  for place in 1 .. coalesce(cardinality(tank_keys), 0) by 10000 loop
    keys := tank_keys[place : place + 9999];
    froms := sinces[place : place + 9999];
    return query
      with found as materialized (
        select counted.tank_key, newer.moments || older.moments as moments, newer.fills || older.fills as fills
        from telemetry_counts counted
        join unnest(keys, froms) wanted (tank_key, since) on wanted.tank_key = counted.tank_key
        cross join lateral (
          select array_agg(telemetry.created_at order by telemetry.created_at desc) as moments,
                 array_agg(telemetry.fill_percentage order by telemetry.created_at desc) as fills
          from telemetry
          where telemetry.tank_key = counted.tank_key and telemetry.created_at >= wanted.since
        ) newer
        cross join lateral (
          select array_agg(reading.created_at order by reading.created_at desc) as moments,
                 array_agg(reading.fill_percentage order by reading.created_at desc) as fills
          from (select telemetry.created_at, telemetry.fill_percentage from telemetry
                where telemetry.tank_key = counted.tank_key and telemetry.created_at < wanted.since
                order by telemetry.created_at desc limit before) reading
        ) older
        where counted.tank_key = any (keys) and counted.level = 0
      )
      select wanted.tank_key, found.moments, found.fills
      from unnest(keys) wanted (tank_key) left join found on found.tank_key = wanted.tank_key;
  end loop;
end $$;
