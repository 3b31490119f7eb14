-- Reads existing readings. They are not locked here: nobody changes them while the tanks are held.
create or replace function lock_readings(tank_keys bigint[], instants timestamptz[])
returns table (tank_key bigint, instant timestamptz, level double precision)
language plpgsql set plan_cache_mode = auto as $$
begin
  return query
    select telemetry.tank_key, telemetry.created_at::timestamptz, telemetry.fill_percentage
    from unnest(tank_keys, instants) wanted (tank_key, instant)
    join telemetry on telemetry.tank_key = wanted.tank_key and telemetry.created_at = wanted.instant
    where telemetry.tank_key = any (tank_keys);
end $$;
