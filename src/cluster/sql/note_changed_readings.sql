-- The triggers of the readings run on the workers, where there are no notes, so whoever writes readings notes them here, before
-- keep_tank_states(). That calls this, too, without instants: of tanks whose readings nobody has noted, as written by hand, all times are.
create or replace function note_changed_readings(tank_keys bigint[], instants timestamptz[]) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if instants is not null then
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, min(instant), max(instant)
    from unnest(tank_keys, instants) changed (tank_key, instant) group by tank_key;
    perform set_config('tank_monitoring.changes', 'noted', true);
  elsif current_setting('tank_monitoring.changes', true) = 'noted' then
    perform set_config('tank_monitoring.changes', '', true);
  else
    insert into change_notes (kind, tank_key, since, until)
    select distinct 'r', key, timestamptz '0001-01-01Z', timestamptz '9999-12-31T23:59:59.999Z' from unnest(tank_keys) key;
  end if;
end $$;
