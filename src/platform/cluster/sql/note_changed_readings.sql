-- The triggers of the readings run on the workers, where there are no notes, so whoever writes readings notes them here. Without instants,
-- all times are noted: that is what keep_tank_states() does for readings written by hand.
create or replace function note_changed_readings(tank_keys bigint[], instants timestamptz[]) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into change_notes (kind, tank_key, since, until)
  select 'r', tank_key, coalesce(min(instant), '0001-01-01Z'), coalesce(max(instant), '9999-12-31T23:59:59.999Z')
  from unnest(tank_keys, instants) changed (tank_key, instant) group by tank_key;
end $$;
