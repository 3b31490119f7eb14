-- Of each tank its readings at and after an instant ("most": no more than so many, the oldest), and some before it, newest first; without an instant, its newest; null for a
-- tank without any. One question to all nodes for 2,000 tanks. A tank with readings has a count of all of them, which leads each node
-- to its tanks; nodes without one of the keys are not asked. The instants are found by the place of the key: Citus refuses a join
-- with a list here.
create or replace function readings_of(tank_keys bigint[], sinces timestamptz[], before integer, most integer default null)
returns table (tank_key bigint, moments timestamptz[], fills double precision[])
language plpgsql stable set plan_cache_mode = auto as $$
declare
  keys bigint[]; froms timestamptz[];
begin
  for place in 1 .. coalesce(cardinality(tank_keys), 0) by 2000 loop
    keys := tank_keys[place : place + 1999];
    froms := sinces[place : place + 1999];
    return query
      with found as materialized (
        select counted.tank_key, newer.moments || older.moments as moments, newer.fills || older.fills as fills
        from telemetry_counts counted
        cross join lateral (
          select array_agg(reading.created_at order by reading.created_at desc) as moments,
                 array_agg(reading.fill_percentage order by reading.created_at desc) as fills
          from (select telemetry.created_at, telemetry.fill_percentage from telemetry
                where telemetry.tank_key = counted.tank_key
                  and telemetry.created_at >= froms[array_position(keys, counted.tank_key)]
                order by telemetry.created_at limit most) reading
        ) newer
        cross join lateral (
          select array_agg(reading.created_at order by reading.created_at desc) as moments,
                 array_agg(reading.fill_percentage order by reading.created_at desc) as fills
          from (select telemetry.created_at, telemetry.fill_percentage from telemetry
                where telemetry.tank_key = counted.tank_key
                  and telemetry.created_at < coalesce(froms[array_position(keys, counted.tank_key)], 'infinity')
                order by telemetry.created_at desc limit before) reading
        ) older
        where counted.tank_key = any (keys) and counted.level = 0
      )
      select wanted.tank_key, found.moments::timestamptz[], found.fills
      from unnest(keys) wanted (tank_key) left join found on found.tank_key = wanted.tank_key;
  end loop;
end $$;
