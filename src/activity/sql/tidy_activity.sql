-- Adds the visible changes to the counts, as fold_fleet_counts() does, and removes at most "most" old entries. Called by the background work.
create or replace function tidy_activity(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  removed integer;
begin
  if exists (select from activity_count_changes) and current_setting('transaction_isolation') = 'read committed'
     and pg_try_advisory_xact_lock(hashtextextended('tank_monitoring.activity_counts', 0)) then
    with folded as (delete from activity_count_changes returning list, day, n)
    insert into activity_counts as counted (list, day, n)
    select list, day, sum(n) from folded group by list, day having sum(n) <> 0
    on conflict (list, day) do update set n = counted.n + excluded.n;
    delete from activity_counts where n = 0;
  end if;
  delete from activity where ctid = any (array( -- found once, whatever the planner thinks of the table's size
    select ctid from activity where created_at < clock_timestamp() - {{ACTIVITY_DAYS}} * interval '1 day'
    order by created_at limit most for update skip locked));
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke execute on function tidy_activity from public;
