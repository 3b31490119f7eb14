-- Removes at most "most" readings of these tanks from before an instant, and returns their tanks in order, one element a reading: the
-- workers find the old readings, and the coordinator deletes them.
create or replace function remove_old_readings(tank_keys bigint[], until timestamptz, most integer)
returns bigint[] language plpgsql set plan_cache_mode = auto as $$
declare
  old_keys bigint[]; old_instants timestamptz[];
begin
  select array_agg(tank_key), array_agg(created_at) into old_keys, old_instants
  from (
    select counted.tank_key, reading.created_at
    from telemetry_counts counted
    cross join lateral (
      select telemetry.created_at from telemetry
      where telemetry.tank_key = counted.tank_key and telemetry.tank_key = any (tank_keys)
        and telemetry.created_at < until
      order by telemetry.created_at limit most
    ) reading
    where counted.tank_key = any (tank_keys) and counted.level = 0
    order by counted.tank_key, reading.created_at limit most
  ) old;
  if old_keys is null then return null; end if;
  perform hold_tanks(old_keys);
  with old as materialized (select * from unnest(old_keys, old_instants) old (tank_key, instant))
  delete from telemetry using old
  where telemetry.tank_key = old.tank_key and telemetry.created_at = old.instant;
  perform note_changed_readings(old_keys, old_instants);
  return old_keys;
end $$;
