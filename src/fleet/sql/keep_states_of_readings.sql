create or replace function keep_states_of_readings() returns trigger language plpgsql as $$
declare
  tank_keys bigint[];
begin
  if tg_table_name <> 'telemetry' or current_setting('tank_monitoring.states', true) = 'by_caller' then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(distinct tank_key) into tank_keys from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct tank_key) into tank_keys from old_rows;
  elsif tg_op = 'UPDATE' then
    select array_agg(tank_key) into tank_keys
    from (select tank_key from new_rows union select tank_key from old_rows) touched;
  elsif current_setting('citus.enable_ddl_propagation', true) is distinct from 'off' then -- not only a coordinator's own copy goes
    select array_agg(tank_key) into tank_keys from tank_states where reported_at is not null;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then tank_keys := take_upserted('telemetry', tg_op = 'INSERT', tank_keys); end if;
  if tank_keys <> '{}' then perform renew_tank_states(tank_keys, is_news => true); end if;
  return null;
end $$;
