-- An upsert fires the triggers of its updates before those of its inserts: states would be locked before the counts of the inserts are,
-- which deadlocks (see keep_states_last). So while an insert is under way, updates leave their tanks to the trigger that comes last. A
-- setting is the one thing that triggers of a statement can share; only this function and take_upserted() know it.
create or replace function expect_insert() returns trigger language plpgsql as $$
begin
  if current_setting('tank_monitoring.states', true) is distinct from 'by_caller' then
    perform set_config('tank_monitoring.upserted_' || tg_table_name, '{}', true);
  end if;
  return null;
end $$;
