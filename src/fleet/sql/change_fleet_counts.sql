-- Appends changes, and now and then adds them up: writers of different tanks would wait for each other's rows of fleet_counts.
create or replace function change_fleet_counts(groups smallint[], changes bigint[]) returns void language plpgsql as $$
begin
  insert into fleet_count_changes (fleet_group, n)
  select fleet_group, sum(n) from unnest(groups, changes) change (fleet_group, n)
  where fleet_group is not null group by fleet_group having sum(n) <> 0;
  if random() < 0.02 then perform fold_fleet_counts(); end if;
end $$;
