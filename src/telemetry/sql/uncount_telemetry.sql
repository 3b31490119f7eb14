-- On a cluster this also runs on the coordinator when only its own, outdated copy of the readings goes.
create or replace function uncount_telemetry() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'telemetry' and current_setting('citus.enable_ddl_propagation', true) is distinct from 'off' then
    delete from telemetry_counts;
  end if;
  return null;
end $$;
