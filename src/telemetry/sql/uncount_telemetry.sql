-- On a cluster this trigger runs on the coordinator, too, also when only its own, outdated copy of the readings goes.
create or replace function uncount_telemetry() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'telemetry' and current_setting('citus.enable_ddl_propagation', true) is distinct from 'off' then
    delete from telemetry_counts;
  end if;
  return null;
end $$;
