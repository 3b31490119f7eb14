create or replace function keep_states_of_readings() returns trigger language plpgsql as $$
declare
  tank_keys bigint[];
begin
  if current_setting('tank_monitoring.states', true) = 'by_caller'
     or current_setting('citus.enable_ddl_propagation', true) = 'off' -- on a cluster: only the coordinator's own copy goes
     or tg_table_name <> 'telemetry' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    select array_agg(distinct tank_key) into tank_keys from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct tank_key) into tank_keys from old_rows;
  elsif tg_op = 'UPDATE' then
    select array_agg(tank_key) into tank_keys
    from (select tank_key from new_rows union select tank_key from old_rows) touched;
  else
    select array_agg(tank_key) into tank_keys from tank_states where reported_at is not null;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then tank_keys := take_upserted('telemetry', tg_op = 'INSERT', tank_keys); end if;
  if tank_keys <> '{}' then perform keep_tank_states(tank_keys); end if;
  return null;
end $$;
