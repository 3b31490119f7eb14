-- Returns how many readings of the month were in the default partition (telemetry_other) and have moved, past the triggers, so they stay
-- counted; null when there was nothing to do. Only those who need the default partition wait for the lock.
create or replace function add_telemetry_month(month date) returns bigint language plpgsql set lock_timeout = '500ms'
security definer set search_path = public, pg_temp as $$
declare
  partition text := 'telemetry_' || to_char(month, 'YYYY_MM');
  month_start timestamptz := month::timestamp at time zone 'UTC';
  month_end timestamptz := (month + interval '1 month') at time zone 'UTC';
  moved bigint;
begin
  perform pg_advisory_xact_lock({{LOCK_OLD_READINGS}});
  if not telemetry_is_partitioned() or month in (select telemetry_months()) then return null; end if;
  lock table only telemetry in share update exclusive mode;
  lock table telemetry_other in access exclusive mode;
  execute format('create table %I (like telemetry including all)', partition);
  execute format('with moved as (delete from telemetry_other where created_at >= %L and created_at < %L returning *)
                  insert into %I select * from moved', month_start, month_end, partition);
  get diagnostics moved = row_count;
  execute format('alter table telemetry attach partition %I for values from (%L) to (%L)',
                 partition, month_start, month_end);
  return moved;
end $$;
revoke execute on function add_telemetry_month from public;
