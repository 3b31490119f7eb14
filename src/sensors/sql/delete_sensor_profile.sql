-- Deletes a sensor profile that was read in this version, and the sensors of deleted tanks that use it. Returns what it is now: 'deleted',
-- 'in_use' by a live tank, or 'changed'. The tanks are locked, so that none is restored meanwhile.
create or replace function delete_sensor_profile(profile_id text, version text) returns text language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform from sensor_profiles where id = profile_id and xmin::text = version for update;
  if not found then return 'changed'; end if;
  perform from tank_sensors sensor join tanks on tanks.key = sensor.tank_key
  where sensor.profile_id = delete_sensor_profile.profile_id and tanks.deleted
  order by tanks.key for share of tanks;
  if exists (
    select from tank_sensors sensor join tanks on tanks.key = sensor.tank_key
    where sensor.profile_id = delete_sensor_profile.profile_id and not tanks.deleted) then
    return 'in_use';
  end if;
  delete from sensor_profiles where id = profile_id;
  return 'deleted';
end $$;
revoke execute on function delete_sensor_profile from public;
