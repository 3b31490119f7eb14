-- Adds the visible changes to the counts, as fold_fleet_counts() does, and removes at most "most" entries: those that are old, then those that
-- are too many of a customer, or of none, the oldest first. Whoever has too many has had a new one lately. Called by the background work.
create or replace function tidy_activity(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  removed integer;
  holder text;
  gone tid[];
begin
  if exists (select from activity_count_changes) and current_setting('transaction_isolation') = 'read committed'
     and pg_try_advisory_xact_lock({{LOCK_ACTIVITY_COUNTS}}) then
    with folded as (delete from activity_count_changes returning list, day, n)
    insert into activity_counts as counted (list, day, n)
    select list, day, sum(n) from folded group by list, day having sum(n) <> 0
    on conflict (list, day) do update set n = counted.n + excluded.n;
    delete from activity_counts where n = 0;
  end if;
  gone := array( -- found once, whatever the planner thinks of the table's size
    select ctid from activity where created_at < clock_timestamp() - {{ACTIVITY_DAYS}} * interval '1 day'
    order by created_at limit most for update skip locked);
  for holder in select distinct owner_id from activity where created_at > clock_timestamp() - interval '1 hour' loop
    exit when cardinality(gone) >= most;
    gone := gone || array(
      select entry.ctid
      from (select ctid, row_number() over newest as place, sum(octet_length(changes::text)) over newest as bytes
            from activity where owner_id = holder or holder is null and owner_id is null
            window newest as (order by created_at desc, id desc)) entry
      where (place > {{ACTIVITY_OF_CUSTOMER}} or bytes > {{ACTIVITY_OF_CUSTOMER_BYTES}}) and ctid <> all (gone)
      order by place desc limit most - cardinality(gone));
  end loop;
  delete from activity where ctid = any (gone);
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke execute on function tidy_activity from public;
