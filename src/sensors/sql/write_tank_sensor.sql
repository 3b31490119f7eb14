-- Gives a live tank of a customer (null: of any) a sensor: 'created', 'updated', or 'changed' when the tank, the profile or the sensor
-- ("profile" and "calibration" are null for none) is no longer what it was found to be. A "new_profile" that is null takes it away.
create or replace function write_tank_sensor(
  tank text, customer text, old_profile text, old_calibration jsonb, new_profile text, new_calibration jsonb
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_key bigint;
begin
  -- The profile before the sensors, as its deletion locks them.
  perform from sensor_profiles where id = new_profile for key share;
  if new_profile is not null and not found then return 'changed'; end if;
  select key into found_key from tanks
  where id = tank and not deleted and (customer is null or owner_id = customer) for key share;
  if not found then return 'changed'; end if;
  if old_profile is null then
    insert into tank_sensors (tank_key, profile_id, calibration) values (found_key, new_profile, new_calibration)
    on conflict (tank_key) do nothing;
    return case when found then 'created' else 'changed' end;
  end if;
  perform from tank_sensors sensor
  where tank_key = found_key and profile_id = old_profile and calibration is not distinct from old_calibration
  for update;
  if not found then return 'changed'; end if;
  if new_profile is null then
    delete from tank_sensors where tank_key = found_key;
    return 'deleted';
  end if;
  update tank_sensors set profile_id = new_profile, calibration = new_calibration where tank_key = found_key;
  return 'updated';
end $$;
revoke execute on function write_tank_sensor from public;
