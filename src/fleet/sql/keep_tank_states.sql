-- For whoever writes readings by hand where no trigger keeps the tanks' states: last, in the same transaction.
create or replace function keep_tank_states(tank_keys bigint[]) returns void language plpgsql as $$
begin
  perform note_changed_readings(tank_keys, null);
  perform renew_tank_states(tank_keys, is_news => true);
end $$;
