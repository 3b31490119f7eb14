-- Adds the visible changes to the counts, as fold_fleet_counts() does, and removes at most "most" entries: those that are old, then those that
-- are too many of a customer, or of none, the oldest first. Called by the background work. What it reads is what has changed, so it costs the
-- same however many entries there are.
create or replace function tidy_activity(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  removed integer;
  oldest timestamptz := clock_timestamp() - {{ACTIVITY_DAYS}} * interval '1 day';
  holder record;
  gone tid[];
begin
  if exists (select from activity_count_changes) and current_setting('transaction_isolation') = 'read committed'
     and pg_try_advisory_xact_lock({{LOCK_ACTIVITY_COUNTS}}) then
    with folded as (delete from activity_count_changes returning list, day, n)
    insert into activity_counts as counted (list, day, n)
    select list, day, sum(n) from folded group by list, day having sum(n) <> 0
    on conflict (list, day) do update set n = counted.n + excluded.n;
    delete from activity_counts where n = 0;
    with folded as (
      delete from activity_sizes
      where owner_id in (select owner_id from activity_sizes group by owner_id having count(*) > 1) returning owner_id, n, bytes
    )
    insert into activity_sizes (owner_id, n, bytes)
    select owner_id, sum(n), sum(bytes) from folded group by owner_id having sum(n) <> 0;
  end if;
  gone := array(select ctid from activity where created_at < oldest order by created_at limit most for update skip locked);
  for holder in
    select owner_id, sum(n) - {{ACTIVITY_OF_CUSTOMER}} as entries, sum(bytes) - {{ACTIVITY_OF_CUSTOMER_BYTES}} as bytes
    from activity_sizes group by owner_id
    having sum(n) > {{ACTIVITY_OF_CUSTOMER}} or sum(bytes) > {{ACTIVITY_OF_CUSTOMER_BYTES}}
  loop
    exit when cardinality(gone) >= most;
    gone := gone || array(
      select ctid
      from (select ctid, row_number() over oldest_first as place,
                   sum(octet_length(changes::text)) over oldest_first - octet_length(changes::text) as bytes_before
            from (select ctid, created_at, id, changes from activity
                  where owner_id = nullif(holder.owner_id, '') or holder.owner_id = '' and owner_id is null
                  order by created_at, id limit most) entry
            window oldest_first as (order by created_at, id)) entry
      where (place <= holder.entries or bytes_before < holder.bytes) and ctid <> all (gone)
      order by place limit most - cardinality(gone));
  end loop;
  delete from activity where ctid = any (gone);
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke execute on function tidy_activity from public;
