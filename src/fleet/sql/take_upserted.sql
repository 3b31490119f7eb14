-- The tanks that the trigger of an upsert has to keep the states of: see expect_insert().
create or replace function take_upserted(of_table text, is_insert boolean, tank_keys bigint[]) returns bigint[] language plpgsql as $$
declare
  setting text := 'tank_monitoring.upserted_' || of_table;
  upserted bigint[] := nullif(current_setting(setting, true), '');
begin
  if upserted is null then return tank_keys; end if;
  perform set_config(setting, case when is_insert then '' else (upserted || tank_keys)::text end, true);
  return case when is_insert then upserted || tank_keys end;
end $$;
