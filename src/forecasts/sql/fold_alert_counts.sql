-- Adds the visible changes to the counts, as fold_fleet_counts() does. Called by the background work.
create or replace function fold_alert_counts() returns void language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from alert_count_changes) or current_setting('transaction_isolation') <> 'read committed'
     or not pg_try_advisory_xact_lock({{LOCK_ALERT_COUNTS}}) then
    return;
  end if;
  with folded as (delete from alert_count_changes returning use_case, hour, n)
  insert into alert_counts as counted (use_case, hour, n)
  select use_case, hour, sum(n) from folded group by use_case, hour having sum(n) <> 0
  on conflict (use_case, hour) do update set n = counted.n + excluded.n;
  delete from alert_counts where n = 0;
end $$;
revoke execute on function fold_alert_counts from public;
