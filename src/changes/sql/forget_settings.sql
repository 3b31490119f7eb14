-- Called first by every function that writes with its owner's rights. Triggers leave out work for a writer whose settings say that it does
-- this work itself; whoever calls such a function could set them, too, and so hide what it writes.
create or replace function forget_settings() returns void language plpgsql as $$
begin
  perform set_config(name, '', true)
  from unnest('{tank_monitoring.states, tank_monitoring.events, tank_monitoring.changes, tank_monitoring.updated_at,
    tank_monitoring.upserted_telemetry, tank_monitoring.upserted_tanks}'::text[]) name
  where current_setting(name, true) <> '';
  if current_setting('citus.enable_ddl_propagation', true) = 'off' then
    perform set_config('citus.enable_ddl_propagation', 'on', true);
  end if;
end $$;
