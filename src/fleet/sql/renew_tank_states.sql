-- Computes the states of these tanks anew and writes what has changed. Two statements, each with its own snapshot: first the states are
-- locked in the order of their keys, so that one writer of a tank passes at a time, and the second sees what the others committed.
-- Whoever writes readings or tanks in several statements calls keep_states_last() first, and this last, with every tank it touched.
-- A tank with which something may have happened is noted to be judged, if that is news: with the newest reading that was known, and for each
-- write its time and the reading it reached, which decide what is history. Not noted is what cannot matter: history, and the quiet case, as
-- src/rules.ts has it: at most one reading that is newer than the known one, near it and above the threshold, of a tank that is not silent
-- and of which nothing is remembered.
-- Tables that were empty when they were last analyzed would be read as a whole for each tank, so sequential scans are off; JIT too, which their price in a plan would start.
create or replace function renew_tank_states(tank_keys bigint[], is_news boolean) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
declare
  clock timestamptz; groups smallint[]; changes bigint[];
begin
  perform hold_tanks(tank_keys);
  perform from tank_states where tank_key = any (tank_keys) order by tank_key for no key update;
  clock := clock_timestamp();

  with fresh as (
    select *, coalesce(silent_at < clock, false) as silent,
           coalesce(fills[1] > fills[2] + {{ROSE}} and fills[1] > fills[3] + {{ROSE}}, false) as rose
    from states_of_tanks(tank_keys)
  ), kept as (
    update tank_states state
    set tank_id = fresh.tank_id, owner_id = fresh.owner_id, use_case = fresh.use_case,
        created_at = fresh.created_at, deleted = fresh.deleted,
        min_fill_alert_percentage = fresh.min_fill_alert_percentage, reported_at = fresh.reported_at,
        fill_percentage = fresh.fill_percentage, low = fresh.low,
        silent_after_seconds = fresh.silent_after_seconds, silent_at = fresh.silent_at, silent = fresh.silent,
        rose = fresh.rose
    from fresh join tank_states before on before.tank_key = fresh.tank_key
    where state.tank_key = fresh.tank_key
      and (before.tank_id, before.owner_id, before.use_case, before.created_at, before.deleted,
           before.min_fill_alert_percentage, before.reported_at, before.fill_percentage, before.low,
           before.silent_after_seconds, before.silent_at, before.silent, before.rose)
        is distinct from
          (fresh.tank_id, fresh.owner_id, fresh.use_case, fresh.created_at, fresh.deleted,
           fresh.min_fill_alert_percentage, fresh.reported_at, fresh.fill_percentage, fresh.low,
           fresh.silent_after_seconds, fresh.silent_at, fresh.silent, fresh.rose)
    returning before.fleet_group as group_before, state.fleet_group as group_now, state.tank_key, state.deleted,
              state.reported_at, state.silent, state.min_fill_alert_percentage as threshold,
              before.reported_at as known_at, before.fill_percentage as known_fill, before.deleted as was_deleted,
              before.silent as was_silent, before.min_fill_alert_percentage as known_threshold,
              coalesce(
                fresh.moments[1] = before.reported_at and fresh.fills[1] = before.fill_percentage
                or fresh.moments[2] = before.reported_at and fresh.fills[2] = before.fill_percentage and not fresh.low
                   and fresh.fills[1] <= {{QUIET_LEVEL_MOST}} and abs(fresh.fills[1] - fresh.fills[2]) < {{QUIET_CHANGE}}, false) as is_quiet
  ), noted as (
    insert into tanks_to_judge as note
      (tank_key, known_at, known_fill, known_threshold, was_silent, was_restored, written_at, reached)
    select kept.tank_key, kept.known_at, kept.known_fill, kept.known_threshold, kept.was_silent, kept.was_deleted,
           array[clock], array[kept.reported_at]
    from kept
    left join tank_alerts alert on alert.tank_key = kept.tank_key
    left join tanks_to_judge waiting on waiting.tank_key = kept.tank_key
    where is_news and not kept.deleted
      and (kept.was_deleted or waiting.tank_key is not null or kept.threshold <> kept.known_threshold
           or kept.silent and not kept.was_silent and kept.reported_at = kept.known_at
           or kept.reported_at >= clock - {{HISTORY_MOST_AGE}} * interval '1 second'
              and (not kept.is_quiet or kept.silent or alert.tank_key is not null))
    order by kept.tank_key
    on conflict (tank_key) do update
    set written_at = case when cardinality(note.written_at) < 100 then note.written_at || excluded.written_at else note.written_at end,
        reached = note.reached[1:99] || excluded.reached,
        was_restored = note.was_restored or excluded.was_restored
  )
  select array_agg(moved.fleet_group), array_agg(moved.n) into groups, changes
  from kept cross join lateral (values (group_before, -1), (group_now, 1)) moved (fleet_group, n)
  where group_before is distinct from group_now;

  if groups is not null then perform change_fleet_counts(groups, changes); end if;
end $$;
