-- Adds the visible changes to the counts, under a lock that nobody waits for: whoever finds it taken leaves the work to another. The
-- snapshot must be newer than the lock, so read committed.
create or replace function fold_fleet_counts() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
     or not pg_try_advisory_xact_lock({{LOCK_FLEET_COUNTS}}) then
    return;
  end if;
  with folded as (delete from fleet_count_changes returning fleet_group, n)
  insert into fleet_counts as counted (fleet_group, n)
  select fleet_group, sum(n) from folded group by fleet_group having sum(n) <> 0
  on conflict (fleet_group) do update set n = counted.n + excluded.n;
end $$;
