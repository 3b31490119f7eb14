-- Folding deletes and adds what is visible, under a lock that nobody waits for: whoever finds it taken leaves the work to
-- another. It needs a snapshot as young as the lock, so not one of a whole transaction.
create or replace function change_fleet_counts(groups smallint[], changes bigint[]) returns void language plpgsql as $$
begin
  insert into fleet_count_changes (fleet_group, n)
  select fleet_group, sum(n) from unnest(groups, changes) change (fleet_group, n)
  where fleet_group is not null group by fleet_group having sum(n) <> 0;
  if random() < 0.02 then perform fold_fleet_counts(); end if;
end $$;
