-- A partition holds whole UTC months, so the counts know what goes, and the readings are not read. Only those of tanks with few
-- readings in any later month, whose state may depend on this one, go first and in the usual way. Writers wait meanwhile, readers
-- only for the drop. If others hold the table for half a second, it fails and changes nothing. For those who follow the changes it is one
-- for each tank.
create or replace function drop_telemetry_month(month date) returns bigint language plpgsql
set lock_timeout = '500ms' set plan_cache_mode = force_generic_plan
security definer set search_path = public, pg_temp as $$
declare
  tank_keys bigint[]; few_keys bigint[];
  dropped bigint;
begin
  if month + interval '1 month' > date_trunc('month', now() at time zone 'UTC') then
    raise 'Readings of the current month are not removed.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock({{LOCK_OLD_READINGS}});
  if month not in (select telemetry_months()) then return null; end if;
  lock table telemetry in share row exclusive mode;
  select array_agg(tank.key order by tank.key), coalesce(sum(counted.n), 0) into tank_keys, dropped
  from tanks tank cross join lateral (
    select n from telemetry_counts where tank_key = tank.key and level = 1 and start = month limit 1) counted;

  few_keys := array(
    select tank.key from unnest(tank_keys) tank (key)
    where not exists (
      select from telemetry_counts later
      where later.tank_key = tank.key and later.level = 1 and later.start > month and later.n >= {{SILENT_AFTER_READINGS}}));
  perform keep_states_last();
  delete from telemetry
  where tank_key = any (few_keys) and created_at >= month::timestamp at time zone 'UTC'
    and created_at < (month + interval '1 month') at time zone 'UTC';
  perform renew_tank_states(few_keys, is_news => false);
  insert into change_notes (kind, tank_key, since, until)
  select 'r', tank.key, month::timestamp at time zone 'UTC',
         (month + interval '1 month') at time zone 'UTC' - interval '1 millisecond'
  from (select unnest(tank_keys) except select unnest(few_keys)) tank (key);

  update telemetry_counts whole set n = whole.n - gone.n
  from telemetry_counts gone
  where gone.tank_key = any (tank_keys) and gone.level = 1 and gone.start = month
    and whole.tank_key = gone.tank_key and whole.level = 0 and whole.start = '-infinity';
  delete from telemetry_counts
  where tank_key = any (tank_keys) and level = 2 and start >= month and start < month + interval '1 month';
  delete from telemetry_counts where tank_key = any (tank_keys) and level = 1 and start = month;
  execute format('drop table %I', 'telemetry_' || to_char(month, 'YYYY_MM'));
  return dropped;
end $$;
revoke execute on function drop_telemetry_month from public;
