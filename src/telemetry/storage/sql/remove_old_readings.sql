-- Removes at most "most" readings of these tanks from before an instant, and returns their tanks in order, one element a reading.
-- A tank's count is locked before its readings, as all who write readings do.
create or replace function remove_old_readings(tank_keys bigint[], until timestamptz, most integer)
returns bigint[] language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  old_keys bigint[]; old_instants timestamptz[];
begin
  select array_agg(tank_key), array_agg(created_at) into old_keys, old_instants
  from (
    select tank.key as tank_key, reading.created_at
    from unnest(tank_keys) tank (key)
    cross join lateral (
      select from telemetry_counts counted
      where counted.tank_key = tank.key and counted.level = 1 and counted.start < until at time zone 'UTC' limit 1
    ) has_old
    cross join lateral (
      select created_at from telemetry
      where telemetry.tank_key = tank.key and telemetry.created_at < until order by created_at limit most
    ) reading
    limit most
  ) old;
  perform from telemetry_counts
  where tank_key = any (array(select distinct unnest(old_keys))) and level = 0 order by tank_key for no key update;
  perform from lock_readings(old_keys, old_instants);
  delete from telemetry using unnest(old_keys, old_instants) old (tank_key, instant)
  where telemetry.tank_key = old.tank_key and telemetry.created_at = old.instant;
  return old_keys;
end $$;
