-- Removes at most "most" old events, so that nobody waits for it. Those of the last day are never removed.
create or replace function forget_events(before timestamptz, most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  forgotten integer;
begin
  if before > now() - interval '1 day' then
    raise 'Events of the last 24 hours are not removed.' using errcode = 'invalid_parameter_value';
  end if;
  delete from events where id = any (array( -- found once, whatever the planner thinks of the table's size
    select id from events where created_at < before order by created_at limit most for update skip locked));
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function forget_events from public;
