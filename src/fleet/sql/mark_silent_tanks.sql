-- Marks tanks that have fallen silent, and notes that they are to be judged. Any number of services may do this at once.
create or replace function mark_silent_tanks(at_most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  late bigint[]; groups smallint[]; changes bigint[];
begin
  perform hold_tanks('{}'); -- before any state, as in renew_tank_states()
  select array_agg(tank_key) into late from (
    select tank_key from tank_states
    where fleet_group is not null and not silent and silent_at < now()
    order by silent_at limit at_most for no key update skip locked) locked;
  if late is null then return 0; end if;

  with marked as (
    update tank_states state set silent = true
    from tank_states before
    where state.tank_key = any (late) and before.tank_key = state.tank_key
    returning before.fleet_group as group_before, state.fleet_group as group_now
  )
  select array_agg(moved.fleet_group), array_agg(moved.n) into groups, changes
  from marked cross join lateral (values (group_before, -1), (group_now, 1)) moved (fleet_group, n);
  perform change_fleet_counts(groups, changes);
  insert into tanks_to_judge (tank_key, known_at, known_fill, known_threshold, was_silent, was_restored, written_at, reached)
  select tank_key, reported_at, fill_percentage, min_fill_alert_percentage, false, false,
         array[clock_timestamp()], array[reported_at]
  from tank_states where tank_key = any (late) order by tank_key
  on conflict (tank_key) do nothing;
  return cardinality(late);
end $$;
revoke execute on function mark_silent_tanks from public;
