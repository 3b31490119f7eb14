-- Trigger names sort after those of the counts, so that every writer takes the locks of counts before those of states.
create or replace function keep_states_of_tanks() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  tank_keys bigint[]; groups smallint[]; changes bigint[];
begin
  if tg_op = 'INSERT' then
    with added as (
      insert into tank_states (tank_key, tank_id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage)
      select key, id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage from new_rows
      returning fleet_group
    )
    select array_agg(fleet_group), array_agg(n) into groups, changes
    from (select fleet_group, count(*) as n from added where fleet_group is not null group by fleet_group) change;
    tank_keys := take_upserted('tanks', true, '{}');
  elsif tg_op = 'DELETE' then
    perform from tank_states where tank_key in (select key from old_rows) order by tank_key for update;
    with removed as (
      delete from tank_states where tank_key in (select key from old_rows) returning fleet_group
    )
    select array_agg(fleet_group), array_agg(-n) into groups, changes
    from (select fleet_group, count(*) as n from removed where fleet_group is not null group by fleet_group) change;
  elsif tg_op = 'TRUNCATE' then
    truncate tank_states;
    delete from fleet_counts;
    delete from fleet_count_changes;
  elsif current_setting('tank_monitoring.states', true) is distinct from 'by_caller' then
    select array_agg(key) into tank_keys
    from new_rows after join old_rows before using (key)
    where (after.id, after.owner_id, after.use_case, after.created_at, after.deleted, after.min_fill_alert_percentage)
      is distinct from
          (before.id, before.owner_id, before.use_case, before.created_at, before.deleted, before.min_fill_alert_percentage);
    tank_keys := take_upserted('tanks', false, tank_keys);
  end if;
  if tank_keys <> '{}' then perform renew_tank_states(tank_keys, is_news => true); end if;
  if groups is not null then perform change_fleet_counts(groups, changes); end if;
  return null;
end $$;
