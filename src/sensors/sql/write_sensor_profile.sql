-- Writes a sensor profile: a new one when "version" is null, otherwise the one that was read in this version. Returns it as it is now, or
-- nothing when it is another version now; as a record, since this function is installed before its table. "updated_at" moves forward, and only when something changes.
create or replace function write_sensor_profile(profile_id text, version text, given jsonb)
returns setof record language plpgsql security definer set search_path = public, pg_temp as $$
declare
  clock timestamptz := date_trunc('milliseconds', clock_timestamp());
  fresh sensor_profiles := jsonb_populate_record(null::sensor_profiles, given);
begin
  perform forget_settings();
  if version is null then
    return query
      insert into sensor_profiles (id, created_at, updated_at, name, level_path, level_unit, battery_path, temperature_path, reject_when)
      values (profile_id, coalesce(fresh.created_at, clock), clock, fresh.name, fresh.level_path, fresh.level_unit,
              fresh.battery_path, fresh.temperature_path, fresh.reject_when)
      on conflict (id) do nothing
      returning sensor_profiles.*;
  else
    return query
      update sensor_profiles profile
      set updated_at = greatest(clock, profile.updated_at + interval '1 millisecond'), name = fresh.name,
          level_path = fresh.level_path, level_unit = fresh.level_unit, battery_path = fresh.battery_path,
          temperature_path = fresh.temperature_path, reject_when = fresh.reject_when
      where profile.id = profile_id and profile.xmin::text = version
      returning profile.*;
  end if;
end $$;
revoke execute on function write_sensor_profile from public;
