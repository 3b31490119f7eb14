-- As on one machine. One question to all nodes; the instants are found by the place of the key, as in readings_of().
create or replace function readings_between(tank_keys bigint[], sinces timestamptz[], until timestamptz, most integer)
returns table (tank_key bigint, moments double precision[], fills double precision[])
language plpgsql stable set plan_cache_mode = auto as $$
begin
  return query
    with found as materialized (
      select counted.tank_key, reading.moments, reading.fills
      from telemetry_counts counted
      cross join lateral (
        select array_agg(round(date_part('epoch', between_instants.created_at) * 1000) order by between_instants.created_at) as moments,
               array_agg(between_instants.fill_percentage order by between_instants.created_at) as fills
        from (select telemetry.created_at, telemetry.fill_percentage from telemetry
              where telemetry.tank_key = counted.tank_key
                and telemetry.created_at >= sinces[array_position(tank_keys, counted.tank_key)]
                and telemetry.created_at < until
              order by telemetry.created_at limit most) between_instants
      ) reading
      where counted.tank_key = any (tank_keys) and counted.level = 0
    )
    select wanted.tank_key, found.moments, found.fills
    from unnest(tank_keys) wanted (tank_key) left join found on found.tank_key = wanted.tank_key;
end $$;
